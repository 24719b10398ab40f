"""Which code is given for which."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from refusalbench_tasks.report.charts import Figure, Grid
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.results.published.numbers import over_models
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import REFUSAL, Label

from .metric_charts import labels_of

SHORT: Mapping[str, str] = {
    Label.ANSWER.value: "answer",
    Label.AMBIGUOUS.value: "ambiguous",
    Label.CONTRADICTORY.value: "contradictory",
    Label.MISSING.value: "missing",
    Label.FALSE_PREMISE.value: "false premise",
    Label.GRANULARITY.value: "granularity",
    Label.NONFACTUAL.value: "nonfactual",
    Label.OTHER.value: "other",
}
"""The codes in a word or two."""
EXPECTED = list(SHORT.values())[:-1]
"""What rows are labelled: none is to be refused as `other`."""
NO_REPLY = "no reply"
_NO_CODES = "no codes were asked for (codes=false), so that refusals have no category"
GIVEN: Mapping[str, str] = {
    **SHORT,
    NO_REPLY: NO_REPLY,
    REFUSAL: "no code read",
}
"""What replies give: beside the codes nothing, and a refusal whose code nobody read."""
_Panel = Mapping[tuple[str, str], Estimate]
_FORMULA = (
    "known replies by the row's label (down) and the given one (across), as shares of"
    " the row's label; a reply that is empty, cut off or stopped gives none"
)


def confusion_matrices(group: Group) -> Figure | str:
    """Return the confusion matrix of each run."""
    coded = [system for system in group.systems if system.codes]
    counts = {system.label: confusion(system) for system in coded}
    if not any(matrix.to_numpy().any() for matrix in counts.values()):
        return "no known reply" if coded else _NO_CODES
    formula = _FORMULA
    uncoded = [system for system in group.systems if not system.codes]
    if uncoded:
        names = ", ".join(labels_of(uncoded))
        formula += f". Not drawn, because no codes were asked for: {names}"
    panels = {label: _cells(matrix) for label, matrix in counts.items()}
    return Figure(
        "confusion",
        "Confusion matrix of each system",
        formula,
        _grid(panels),
    )


def mean_confusion(group: Group) -> Figure | str:
    """Return the mean of the models' confusion matrices, the newest run of each."""
    coded = [system for system in group.models if system.codes]
    panels = [_cells(confusion(system)) for system in coded]
    if len(panels) < 2:
        return "needs two models that were asked for codes"
    means = {}
    for cell in panels[0]:
        shares = [panel[cell] for panel in panels]
        n = sum(share.n for share in shares)
        means[cell] = replace(over_models("mean", shares, []), n=n)
    return Figure(
        "mean-confusion",
        f"Mean confusion matrix of {len(panels)} models",
        f"mean over models of: {_FORMULA}; n counts the replies of all",
        _grid({"": means}),
    )


def confusion(system: SystemView) -> pd.DataFrame:
    """Return the numbers of known replies by expected label (rows, an answer first) and
    given one (columns), in words.

    The last columns have the replies that the model failed to give, and the refusals
    without a code.
    """
    known = system.rows[system.rows["outcome"].isin(["decided", "no_reply"])]
    given = known["predicted"].where(known["outcome"] == "decided", NO_REPLY)
    counts = pd.crosstab(known["expected"].map(SHORT), given.map(GIVEN))
    return counts.reindex(
        index=EXPECTED,
        columns=list(GIVEN.values()),
        fill_value=0,
    )


def _cells(counts: pd.DataFrame) -> _Panel:
    n = counts.sum(axis=1)
    shares = counts.div(n, axis=0)
    cells = {}
    for label in EXPECTED:
        for name in GIVEN.values():
            share = float(shares.loc[label, name])
            cells[label, name] = Estimate(share, n=float(n[label]))
    return cells


def _grid(panels: Mapping[str, _Panel]) -> Grid:
    names = list(GIVEN.values())
    uncoded = GIVEN[REFUSAL]
    cells = [panel[label, uncoded] for panel in panels.values() for label in EXPECTED]
    if not any(cell.value > 0 for cell in cells):
        names.remove(uncoded)
    return Grid(
        panels,
        EXPECTED,
        names,
        row_axis="row's label",
        column_axis="given label",
    )
