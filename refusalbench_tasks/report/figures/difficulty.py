"""How rates change with what makes a row hard, apart from whether it has an answer."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.refusal import RATES
from refusalbench_tasks.report.charts import CurvePanels, Curves, Point
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.knob_bins import Bins, knob_bins
from refusalbench_tasks.report.tally import RefusalGroup, Tally

_RATES = ("answer_accuracy", "refusal_accuracy", "category_accuracy", "false_refusal_rate", "missed_refusal_rate")
_FORMULA = (
    "answer accuracy and false refusal rate over the answerable rows of a group, refusal accuracy and missed refusal "
    "rate over its unanswerable ones, category accuracy over the refusals among these; numbers are cut at the "
    "quartiles of all rows, and a group is named by its least and largest number; n below a group is its rows of a "
    "rate, decided by all runs or by the run with the most; bars are 95 % intervals by source_id, which is a quad in "
    "data=worlds. Groups may differ in more than this knob"
)


def rates_by_knob(group: RefusalGroup) -> Figure | Absent:
    """Return five rates by each knob of the rows, a row of panels a knob; without those of codes if no run has any."""
    if not group.rows.number(lambda row: row.facts.knobs):
        return Absent("no row tells how hard it is (knobs, which rows of data=worlds have)")
    found = knob_bins([row.facts.knobs for row in group.rows])
    if not found:
        return Absent("all rows are as hard as each other, by every knob")
    rows = {name: _panels(group.tallies, name, bins) for name, bins in found.items()}
    return Figure("difficulty", "Rates by difficulty", _FORMULA, CurvePanels(rows, "knob"))


def _panels(tallies: Sequence[Tally], knob: str, bins: Bins) -> dict[str, Curves]:
    places = {t.label: t.rows.each(lambda row: bins.place(row.facts.knobs.get(knob)), np.intp) for t in tallies}
    # group by group, because runs over the same rows share the weights of their resamples
    groups = [
        {t.label: t.with_intervals(places[t.label] == k) for t in tallies if (places[t.label] == k).any()}
        for k in range(len(bins.names))
    ]
    return {
        rate.replace("_", " "): Curves(
            {
                t.label: [Point(k, rates[t.label][rate]) for k, rates in enumerate(groups) if t.label in rates]
                for t in tallies
            },
            "group",
            rate.replace("_", " "),
            ticks=bins.names,
            # words have no order that a line could follow
            joined=bool(bins.starts),
        )
        for rate in _RATES
        if not RATES[rate].coded or any(t.run.codes for t in tallies)
    }
