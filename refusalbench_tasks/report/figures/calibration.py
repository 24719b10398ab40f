"""Whether replies are as sure as they should be."""

from collections.abc import Callable

from refusalbench_tasks.metrics.calibration import expected_calibration_error
from refusalbench_tasks.metrics.refusal_calibration import reliability_bins, stated_confidence, with_confidence
from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.report.charts import Bars, Curves, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.figures.reliability import INTERVALS, reliability_points
from refusalbench_tasks.report.figures.risk import risk_curves
from refusalbench_tasks.report.tally import RefusalGroup
from refusalbench_tasks.taxonomy import Label

_PARTS: dict[str, Callable[[RefusalRow], bool]] = {
    "all rows": lambda row: True,
    "answerable rows": lambda row: row.outcome.expected is Label.ANSWER,
    "unanswerable rows": lambda row: row.outcome.expected is not Label.ANSWER,
}


_NONE = Absent("no run has stated confidence; run with -T confidence=true")


def _stated(group: RefusalGroup) -> dict[str, list[RefusalRow]]:
    """Return the rows with a confidence of each run that has some."""
    by_run = {tally.label: with_confidence(tally.rows) for tally in group.tallies}
    return {label: rows for label, rows in by_run.items() if rows}


def error_by_part(group: RefusalGroup) -> Figure | Absent:
    """Return the calibration error over all rows, the answerable and the unanswerable ones."""
    stated = _stated(group)
    if not stated:
        return _NONE
    series: dict[str, list[Value]] = {}
    for part, inside in _PARTS.items():
        chosen = [[row for row in rows if inside(row)] for rows in stated.values()]
        series[part] = [Value(expected_calibration_error(reliability_bins(rows)), n=len(rows)) for rows in chosen]
    return Figure(
        "calibration-error",
        "Expected calibration error",
        "sum over the five levels of n_level / n x |share right - midpoint of the level's range|",
        Bars(list(stated), series, "expected calibration error"),
    )


def reliability_diagram(group: RefusalGroup) -> Figure | Absent:
    """Return the share of right replies by stated level."""
    stated = _stated(group)
    if not stated:
        return _NONE
    lines = {
        label: reliability_points(
            reliability_bins(rows), stated_confidence(rows)[0], [row.outcome.cluster for row in rows]
        )
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
