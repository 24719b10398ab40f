"""Whether replies are as sure as they should be."""

from refusalbench_tasks.metrics.refusal_calibration import (
    NAMES,
    PARTS,
    calibration_cells,
    calibration_statistics,
    reliability_bins,
    stated_confidence,
    with_confidence,
)
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.report.charts import Bars, Curves, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.figures.reliability import INTERVALS, reliability_points
from refusalbench_tasks.report.figures.risk import risk_curves
from refusalbench_tasks.report.tally import RefusalGroup
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums

_PARTS = {
    "ece": "all replies",
    "ece_answers": "answers",
    "ece_refusals": "refusals",
    "ece_answerable": "answerable rows",
    "ece_unanswerable": "unanswerable rows",
}
_NONE = Absent("no run has stated confidence; run with -T confidence=true")


def _stated(group: RefusalGroup) -> dict[str, RefusalRows]:
    """Return the rows with a confidence of each run that has some."""
    by_run = {tally.label: with_confidence(tally.rows) for tally in group.tallies}
    return {label: rows for label, rows in by_run.items() if rows}


def error_by_part(group: RefusalGroup) -> Figure | Absent:
    """Return the calibration error over all replies, by what the reply is, and by what the row is."""
    stated = _stated(group)
    if not stated:
        return _NONE
    errors = [_errors(rows) for rows in stated.values()]
    series = {name: [of_run[key] for of_run in errors] for key, name in _PARTS.items()}
    return Figure(
        "calibration-error",
        "Expected calibration error",
        "sum over the five levels of n_level / n x |share right - midpoint of the level's range|; answers and refusals "
        "are by what the reply is (paper, F.2), answerable and unanswerable rows by what the row is (released script); "
        "95 % intervals by base question",
        Bars(list(stated), series, "expected calibration error"),
    )


def _errors(rows: RefusalRows) -> dict[str, Value]:
    """Return the calibration error of each part, with its interval and n."""
    sums = cluster_sums(calibration_cells(rows.kinds), rows.unit_places(), rows.which)
    values, interval = calibration_statistics(sums.sum(axis=0)), bootstrap(sums, calibration_statistics)
    return {
        key: Value(float(values[i]), float(interval.low[i]), float(interval.high[i]), rows.number(PARTS[key]))
        for i, key in enumerate(NAMES)
        if key in PARTS
    }


def reliability_diagram(group: RefusalGroup) -> Figure | Absent:
    """Return the share of right replies by stated level."""
    stated = _stated(group)
    if not stated:
        return _NONE
    lines = {
        label: reliability_points(reliability_bins(rows), stated_confidence(rows)[0], rows.units())
        for label, rows in stated.items()
    }
    return Figure(
        "reliability",
        "Reliability diagram",
        "share of right replies by stated level, drawn at the midpoint of the level's range; the diagonal is perfect "
        f"calibration; {INTERVALS}; models stand side by side at a level",
        Curves(lines, "stated confidence", "share right", diagonal=True, joined=False),
    )


def risk_against_coverage(group: RefusalGroup) -> Figure | Absent:
    """Return the risk-coverage curve of each run, with its area."""
    stated = _stated(group)
    if not stated:
        return _NONE
    replies = {}
    for label, rows in stated.items():
        confidence, right = stated_confidence(rows)
        replies[label] = (confidence, [1 - value for value in right])
    return Figure(
        "risk-coverage",
        "Risk against coverage",
        "coverage = share of rows whose stated confidence is at least a level; risk = share of these whose reply is "
        "wrong; AURC = mean risk over all coverages, ties in random order; confidence that tells nothing gives the "
        "risk at full coverage everywhere",
        risk_curves(replies),
    )
