"""Which code is given for which."""

from collections.abc import Mapping, Sequence

import numpy as np

from refusalbench_tasks.report.charts import Grid
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.figures.rates import NO_CODES
from refusalbench_tasks.report.system import Group, ShownSystem
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import Intensity, Label

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
_FORMULA = "decided replies by the row's label (down) and the given one (across), as shares of the row's label"


def average(group: Group) -> Figure | str:
    """Return the mean confusion matrix of the models, each by its newest run."""
    coded = [one for one in group.models if one.codes]
    if len(coded) < 2:
        return "needs two models or more that were asked for codes; there is a matrix of each run"
    counts = [confusion(one) for one in coded]
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.array([one / one.sum(axis=1, keepdims=True) for one in counts])
    known = ~np.isnan(shares)
    mean = np.where(known, shares, 0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan)
    formula = f"{_FORMULA}; the mean over the models that have such rows, the newest run of each, without baselines"
    return Figure("confusion-average", "Average confusion matrix", formula, _grid({"": (mean, np.sum(counts, axis=0))}))


def of_each_model(group: Group) -> Figure | str:
    """Return the confusion matrix of each run."""
    return _each(group, "confusion", "Confusion matrix of each system", "")


def of_medium_rows(group: Group) -> Figure | str:
    """Return the confusion matrix of each run over the rows of intensity MEDIUM."""
    return _each(group, "confusion-medium", "Confusion matrix of each system, intensity MEDIUM", Intensity.MEDIUM.value)


def _each(group: Group, key: str, title: str, intensity: str) -> Figure | str:
    coded = [one for one in group.systems if one.codes]
    counts = {one.label: confusion(one, intensity) for one in coded}
    if not coded or not any(matrix.any() for matrix in counts.values()):
        return "no decided reply to such a row" if coded else NO_CODES
    left_out = [one.label for one in group.systems if not one.codes]
    formula = _FORMULA + (f". Not drawn, because no codes were asked for: {', '.join(left_out)}" if left_out else "")
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = {name: (one / one.sum(axis=1, keepdims=True), one) for name, one in counts.items()}
    return Figure(key, title, formula, _grid(shares))


def confusion(system: ShownSystem, intensity: str = "") -> Floats:
    """Return the decided replies by expected label (rows, an answer first) and given one (columns): shape (8, 8)."""
    rows = system.rows[system.rows["predicted"] != ""]
    if intensity:
        rows = rows[rows["intensity"] == intensity]
    found = np.zeros((len(SHORT), len(SHORT)))
    np.add.at(found, (_places(rows["expected"]), _places(rows["predicted"])), 1.0)
    return found


def _places(labels: Sequence[str]) -> list[int]:
    places = {name: k for k, name in enumerate(SHORT)}
    return [places[label] for label in labels]


def _grid(panels: Mapping[str, tuple[Floats, Floats]]) -> Grid:
    names = list(SHORT.values())
    expected = names[:-1]  # no row is to be refused as `other`
    cells = {
        title: {
            (row, column): Estimate(float(shares[i, j]), n=float(counts[i].sum()))
            for i, row in enumerate(expected)
            for j, column in enumerate(names)
        }
        for title, (shares, counts) in panels.items()
    }
    return Grid(cells, expected, names, row_axis="row's label", column_axis="given label")
