"""Which code is given for which."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.report.charts import HeatMap, HeatMaps
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.tally import Tally, newest_of_each_model
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.taxonomy import Intensity, Label

_SHORT = {
    Label.ANSWER: "answer",
    Label.AMBIGUOUS: "ambiguous",
    Label.CONTRADICTORY: "contradictory",
    Label.MISSING: "missing",
    Label.FALSE_PREMISE: "false premise",
    Label.GRANULARITY: "granularity",
    Label.NONFACTUAL: "nonfactual",
    Label.OTHER: "other",
}
_FORMULA = "decided replies by the row's label (down) and the given one (across), as shares of the row's label"


def confusion_figures(tallies: Sequence[Tally]) -> Found:
    """Return the average confusion matrix, and one per model for all rows and for those of intensity MEDIUM."""
    medium = {t.label: t.confusion(t.group("intensity") == Intensity.MEDIUM.value) for t in tallies}
    every = {t.label: t.confusion() for t in tallies}
    models = {t.label: every[t.label] for t in newest_of_each_model(tallies)}
    formula = f"{_FORMULA}; the mean over the models that have such rows, the newest run of each, without baselines"
    found: Found = [
        Figure("confusion-average", "Average confusion matrix", formula, _average(models), "RefusalBench", (8,))
        if models
        else Absent("RefusalBench", (8,), "there are only baselines"),
        Figure("confusion", "Confusion matrix of each model", _FORMULA, _each(every), "RefusalBench", (29,)),
    ]
    if any(one.sum() for one in medium.values()):
        title = "Confusion matrix of each model, intensity MEDIUM"
        found.append(Figure("confusion-medium", title, _FORMULA, _each(medium), "RefusalBench", (28,)))
    else:
        found.append(Absent("RefusalBench", (28,), "no decided reply to a row of intensity MEDIUM"))
    return found


def _each(counts: dict[str, Floats]) -> HeatMaps:
    return HeatMaps({name: _map(shares(one), one.sum(axis=1)) for name, one in counts.items()})


def _average(counts: dict[str, Floats]) -> HeatMap:
    stacked = np.array([shares(one) for one in counts.values()])
    known = ~np.isnan(stacked)
    total = np.where(known, stacked, 0).sum(axis=0)
    mean = np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)
    return _map(mean, np.sum([one.sum(axis=1) for one in counts.values()], axis=0))


def shares(counts: Floats) -> Floats:
    """Return each row of a matrix of counts as shares that sum to 1; NaN for a row without counts."""
    n = counts.sum(axis=1, keepdims=True)
    result: Floats = np.where(n > 0, counts / np.where(n > 0, n, 1), np.nan)
    return result


def _map(values: Floats, n: Floats) -> HeatMap:
    gold = [i for i, label in enumerate(Label) if label is not Label.OTHER]
    return HeatMap(
        rows=[_SHORT[list(Label)[i]] for i in gold],
        columns=[_SHORT[label] for label in Label],
        values=[[float(value) for value in values[i]] for i in gold],
        counts=[[float(n[i])] * len(Label) for i in gold],
        row_axis="row's label",
        column_axis="given label",
    )
