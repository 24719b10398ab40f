"""A share as a judge finds it, corrected by how often that judge was right where people
read the same replies.
"""

import math
from dataclasses import dataclass

from refusalbench_tasks.stats.proportion import Z


@dataclass(frozen=True)
class Calibration:
    """What a judge said of replies that people read: of those that people call
    positive, and of the others.

    Counts, or weights that sum to an effective number of replies.
    """

    positives: float
    found: float
    """Positives that the judge calls positive."""
    negatives: float
    cleared: float
    """Negatives that the judge calls negative."""


@dataclass(frozen=True)
class CalibratedShare:
    """A share as the judge finds it, and as corrected, with its 95 % CI."""

    judged: float
    corrected: float
    low: float
    high: float
    n: int


def calibrated_share(
    positive: int, n: int, calibration: Calibration
) -> CalibratedShare:
    """Return a judge's share of positives among n replies, corrected for its
    sensitivity and specificity.

    With p the judge's share, q1 the sensitivity and q0 the specificity: (p + q0 - 1) /
    (q0 + q1 - 1), cut to [0, 1] (Rogan and Gladen 1978). The CI holds the uncertainty
    of all three: half widths from the variance (p (1 - p) / n + t^2 q1 (1 - q1) / m1 +
    (1 - t)^2 q0 (1 - q0) / m0) / (q0 + q1 - 1)^2, with one success and one failure
    added to q0 and q1 and Z^2 / 2 of each to p (Lee et al. 2025, "How to correctly
    report LLM-as-a-judge evaluations"; Lang and Reiczigel 2014). NaN without replies,
    without people's readings of both kinds, and for a judge that does no better than
    chance.
    """
    nan = math.nan
    if not n or not calibration.positives or not calibration.negatives:
        return CalibratedShare(positive / n if n else nan, nan, nan, nan, n)
    judged = positive / n
    plain = _corrected(
        judged,
        calibration.found / calibration.positives,
        calibration.cleared / calibration.negatives,
    )
    p = (positive + Z**2 / 2) / (n + Z**2)
    size = n + Z**2
    q1 = (calibration.found + 1) / (calibration.positives + 2)
    m1 = calibration.positives + 2
    q0 = (calibration.cleared + 1) / (calibration.negatives + 2)
    m0 = calibration.negatives + 2
    middle = _corrected(p, q1, q0)
    skill = q0 + q1 - 1
    if math.isnan(plain) or math.isnan(middle):
        return CalibratedShare(judged, nan, nan, nan, n)
    spread = (
        p * (1 - p) / size
        + middle**2 * q1 * (1 - q1) / m1
        + (1 - middle) ** 2 * q0 * (1 - q0) / m0
    )
    half = Z * math.sqrt(spread) / skill
    return CalibratedShare(
        judged, _cut(plain), _cut(middle - half), _cut(middle + half), n
    )


def _corrected(share: float, sensitivity: float, specificity: float) -> float:
    skill = sensitivity + specificity - 1
    return (share + specificity - 1) / skill if skill > 0 else math.nan


def _cut(share: float) -> float:
    return min(max(share, 0.0), 1.0)
