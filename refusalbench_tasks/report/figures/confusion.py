"""Which code is given for which."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.report.charts import HeatMap, HeatMaps
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.finding import SHORT
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.taxonomy import Intensity, Label

_FORMULA = "decided replies by the row's label (down) and the given one (across), as shares of the row's label"
_NO_CODES = "no codes were asked for (codes=false), so that refusals have no category"


def average(group: RefusalGroup) -> Figure | Absent:
    """Return the mean confusion matrix of the models, each by its newest run."""
    if not group.models:
        return Absent("there are only baselines")
    coded = _coded(group.models)
    if not coded:
        return Absent(_NO_CODES)
    counts = {tally.label: tally.confusion() for tally in coded}
    formula = f"{_FORMULA}; the mean over the models that have such rows, the newest run of each, without baselines"
    formula += _left_out(group.models)
    return Figure("confusion-average", "Average confusion matrix", formula, _mean(counts))


def of_each_model(group: RefusalGroup) -> Figure | Absent:
    """Return the confusion matrix of each run."""
    counts = {tally.label: tally.confusion() for tally in _coded(group.tallies)}
    if not counts:
        return Absent(_NO_CODES)
    formula = f"{_FORMULA}{_left_out(group.tallies)}"
    return Figure("confusion", "Confusion matrix of each model", formula, _each(counts))


def of_medium_rows(group: RefusalGroup) -> Figure | Absent:
    """Return the confusion matrix of each run over the rows of intensity MEDIUM."""
    coded = _coded(group.tallies)
    if not coded:
        return Absent(_NO_CODES)
    counts = {t.label: t.confusion(t.group("intensity") == Intensity.MEDIUM.value) for t in coded}
    if not any(matrix.sum() for matrix in counts.values()):
        return Absent("no decided reply to a row of intensity MEDIUM")
    title = "Confusion matrix of each model, intensity MEDIUM"
    return Figure("confusion-medium", title, f"{_FORMULA}{_left_out(group.tallies)}", _each(counts))


def _coded(tallies: Sequence[Tally]) -> list[Tally]:
    """Return the runs whose refusals have a category: without codes nobody was asked for one."""
    return [tally for tally in tallies if tally.rows.codes]


def _left_out(tallies: Sequence[Tally]) -> str:
    """Return the part of a caption that names the runs without codes."""
    names = sorted(tally.label for tally in tallies if not tally.rows.codes)
    return f". Not drawn, because no codes were asked for: {', '.join(names)}" if names else ""


def _each(counts: dict[str, Floats]) -> HeatMaps:
    return HeatMaps({name: _map(shares(matrix), matrix.sum(axis=1)) for name, matrix in counts.items()})


def _mean(counts: dict[str, Floats]) -> HeatMap:
    stacked = np.array([shares(matrix) for matrix in counts.values()])
    known = ~np.isnan(stacked)
    total = np.where(known, stacked, 0).sum(axis=0)
    mean = np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)
    return _map(mean, np.sum([matrix.sum(axis=1) for matrix in counts.values()], axis=0))


def shares(counts: Floats) -> Floats:
    """Return each row of a matrix of counts as shares that sum to 1; NaN for a row without counts."""
    n = counts.sum(axis=1, keepdims=True)
    result: Floats = np.where(n > 0, counts / np.where(n > 0, n, 1), np.nan)
    return result


def _map(values: Floats, n: Floats) -> HeatMap:
    gold = [i for i, label in enumerate(Label) if label is not Label.OTHER]
    return HeatMap(
        rows=[SHORT[list(Label)[i]] for i in gold],
        columns=[SHORT[label] for label in Label],
        values=[[float(value) for value in values[i]] for i in gold],
        counts=[[float(n[i])] * len(Label) for i in gold],
        row_axis="row's label",
        column_axis="given label",
    )
