"""What the rates of a section could be, over what is not known."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.bounds import rate_bounds, unknown_bounds
from refusalbench_tasks.metrics.hedging_calibration import credited
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.tally import Tally, perturbed_losses
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

_BOUNDS = "What a rate could be if every undecided, ungraded, lost or never run row counted against it, or for it."


def refusal_bounds(tallies: Sequence[Tally]) -> Table:
    """Return the bounds of the rates of `nq` or `garage` runs."""
    return _table([row for tally in tallies for row in _bounds(tally)])


def hedging_bounds(tallies: Sequence[HedgingTally]) -> Table:
    """Return the bounds of the refusal rate and the answer correctness of `bluff` runs."""
    return _table([row for tally in tallies for row in _hedging_bounds(tally)])


def _table(rows: Sequence[TableRow]) -> Table:
    return Table("bounds", "Bounds over what is not known", rows, _BOUNDS)


def _bounds(tally: Tally) -> list[TableRow]:
    lost = [facts.expected for facts in perturbed_losses(tally.run).values()]
    # a row of which nothing is known, not even its label, could be of either side
    either = lost.count(None) + tally.run.never_run
    answerable = lost.count(Label.ANSWER)
    unanswerable = len(lost) - answerable - lost.count(None)
    by_metric = rate_bounds(tally.rows.totals(), answerable + either, unanswerable + either)
    return [
        {"model": tally.label, "metric": name.replace("_", " "), "measured": tally.main[name].value}
        | {"lowest": bounds.low, "highest": bounds.high, "not known": bounds.unknown}
        for name, bounds in by_metric.items()
    ]


def _hedging_bounds(tally: HedgingTally) -> list[TableRow]:
    rows = tally.run.scored
    lost = len(tally.run.lost) + tally.run.never_run
    refused, grades = rows.column("refused"), credited(rows)
    undecided = int(np.isnan(refused).sum())
    ungraded = int((rows.answered & ~rows.graded).sum())
    by_metric = {
        "refusal rate": unknown_bounds(float(np.nansum(refused)), len(rows) - undecided, undecided + lost),
        # an undecided reply could be an answer, and right or wrong
        "answer correctness": unknown_bounds(
            float(np.nansum(grades)), int((~np.isnan(grades)).sum()), ungraded + undecided + lost
        ),
    }
    return [
        {"model": tally.label, "metric": name, "measured": tally.metrics[name.replace(" ", "_")]}
        | {"lowest": bounds.low, "highest": bounds.high, "not known": bounds.unknown}
        for name, bounds in by_metric.items()
    ]
