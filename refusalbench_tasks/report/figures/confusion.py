"""Which code is given for which."""

from collections.abc import Mapping, Sequence

import numpy as np

from refusalbench_tasks.report.charts import Grid
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.figures.rates import NO_CODES
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import REFUSAL, Label

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
NO_REPLY = "no reply"
GIVEN: Mapping[str, str] = {**SHORT, NO_REPLY: NO_REPLY, REFUSAL: "no code read"}
"""What replies give: beside the codes nothing, and a refusal whose code nobody read."""
_FORMULA = (
    "known replies by the row's label (down) and the given one (across), as shares of"
    " the row's label; a reply that is empty, cut off or stopped gives none"
)


def of_each_model(group: Group) -> Figure | str:
    """Return the confusion matrix of each run."""
    coded = [one for one in group.systems if one.codes]
    counts = {one.label: confusion(one) for one in coded}
    if not any(matrix.any() for matrix in counts.values()):
        return "no known reply" if coded else NO_CODES
    left_out = [one.label for one in group.systems if not one.codes]
    formula = _FORMULA + (
        f". Not drawn, because no codes were asked for: {', '.join(left_out)}"
        if left_out
        else ""
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = {
            name: (one / one.sum(axis=1, keepdims=True), one)
            for name, one in counts.items()
        }
    return Figure(
        "confusion", "Confusion matrix of each system", formula, _grid(shares)
    )


def confusion(system: SystemView) -> Floats:
    """Return the known replies by expected label (rows, an answer first) and given one
    (columns): shape (8, 10).

    The last columns have the replies that the model failed to give, and the refusals
    without a code.
    """
    known = system.rows[system.rows["outcome"].isin(["decided", "no_reply"])]
    given = known["predicted"].where(known["outcome"] == "decided", NO_REPLY)
    counts = np.zeros((len(SHORT), len(GIVEN)))
    np.add.at(counts, (_places(known["expected"]), _places(given)), 1.0)
    return counts


def _places(labels: Sequence[str]) -> list[int]:
    places = {name: k for k, name in enumerate(GIVEN)}
    return [places[label] for label in labels]


def _grid(panels: Mapping[str, tuple[Floats, Floats]]) -> Grid:
    expected = list(SHORT.values())[:-1]  # no row is to be refused as `other`
    uncoded = any(counts[:, -1].any() for _, counts in panels.values())
    names = list(GIVEN.values()) if uncoded else list(GIVEN.values())[:-1]
    cells = {
        title: {
            (row, column): Estimate(float(shares[i, j]), n=float(counts[i].sum()))
            for i, row in enumerate(expected)
            for j, column in enumerate(names)
        }
        for title, (shares, counts) in panels.items()
    }
    return Grid(
        cells, expected, names, row_axis="row's label", column_axis="given label"
    )
