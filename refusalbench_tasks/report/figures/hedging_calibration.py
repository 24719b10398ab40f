"""Whether the answers of BLUFF-1000 runs are as sure as they should be."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.calibration import equal_width
from refusalbench_tasks.metrics.hedging_calibration import credited
from refusalbench_tasks.report.charts import Curves
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.figures.reliability import INTERVALS, reliability_points
from refusalbench_tasks.report.figures.risk import risk_curves
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.stats.cluster import Floats

_NONE = Absent("no graded answer has a confidence")

Graded = tuple[Floats, Floats, list[str]]
"""The confidence, correctness and unit of resampling of each reply that has both numbers."""


def reliability_diagram(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return the mean grade of the answers by confidence."""
    graded = _graded(tallies)
    if not graded:
        return _NONE
    lines = {
        label: reliability_points(equal_width(confidence, correctness), confidence.tolist(), units)
        for label, (confidence, correctness, units) in graded.items()
    }
    return Figure(
        "reliability",
        "Reliability diagram",
        f"mean grade of the answers{_credit(tallies)} by confidence, ten bins of equal width, drawn at the bin's "
        f"mean confidence; the diagonal is perfect calibration; {INTERVALS}",
        Curves(lines, "confidence", "answer correctness", diagonal=True, joined=False),
    )


def risk_against_coverage(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return the risk-coverage curve of each run, with its area."""
    graded = _graded(tallies)
    if not graded:
        return _NONE
    replies = {label: (confidence, 1 - correctness) for label, (confidence, correctness, _) in graded.items()}
    return Figure(
        "risk-coverage",
        "Risk against coverage",
        f"coverage = share of graded answers{_credit(tallies)} with at least a confidence; risk = 1 - their mean "
        "grade; AURC = mean risk over all coverages, ties in random order; confidence that tells nothing gives the "
        "risk at full coverage everywhere",
        risk_curves(replies),
    )


def _graded(tallies: Sequence[HedgingTally]) -> dict[str, Graded]:
    """Return the graded replies of each run that has some with a confidence."""
    by_run = {tally.label: _confident(tally) for tally in tallies}
    return {label: graded for label, graded in by_run.items() if len(graded[0])}


def _confident(tally: HedgingTally) -> Graded:
    rows = tally.run.scored
    confidence, correctness = rows.column("confidence"), credited(rows)
    both = ~(np.isnan(confidence) | np.isnan(correctness))
    return (
        confidence[both],
        correctness[both],
        rows.units_of(both),
    )


def _credit(tallies: Sequence[HedgingTally]) -> str:
    return " (refusals at 0.4)" if tallies[0].run.protocol == "official-code" else ""
