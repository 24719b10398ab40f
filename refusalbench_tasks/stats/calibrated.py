"""A share as a judge finds it, corrected by how often that judge was right where people
read the same replies.
"""

import math
from dataclasses import dataclass

from .proportion import Z

NAN = math.nan


@dataclass(frozen=True)
class CalibratedShare:
    """A share as the judge finds it, and as corrected, with its 95 % CI."""

    judged: float = NAN
    corrected: float = NAN
    low: float = NAN
    high: float = NAN
    n: int = 0


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

    def share(self, positive: int, n: int) -> CalibratedShare:
        """Return a judge's share of positives among n replies, corrected for its
        sensitivity and specificity.

        With p the judge's share, q1 the sensitivity and q0 the specificity: (p + q0 -
        1) / (q0 + q1 - 1), cut to [0, 1] (Rogan and Gladen 1978). The CI holds the
        uncertainty of all three: half widths from the variance (p (1 - p) / n + t^2 q1
        (1 - q1) / m1 + (1 - t)^2 q0 (1 - q0) / m0) / (q0 + q1 - 1)^2, with one success
        and one failure added to q0 and q1 and Z^2 / 2 of each to p (Lee et al. 2025,
        "How to correctly report LLM-as-a-judge evaluations"; Lang and Reiczigel 2014).
        NaN without replies, without people's readings of both kinds, and for a judge
        that does no better than chance.
        """
        judged = positive / n if n else NAN
        unknown = CalibratedShare(judged, n=n)
        if not n or not self.positives or not self.negatives:
            return unknown
        sensitivity = self.found / self.positives
        specificity = self.cleared / self.negatives
        plain = _corrected(judged, sensitivity, specificity)
        size = n + Z**2
        p = (positive + Z**2 / 2) / size
        m1 = self.positives + 2
        q1 = (self.found + 1) / m1
        m0 = self.negatives + 2
        q0 = (self.cleared + 1) / m0
        middle = _corrected(p, q1, q0)
        if math.isnan(plain) or math.isnan(middle):
            return unknown
        spread = p * (1 - p) / size
        spread += middle**2 * q1 * (1 - q1) / m1
        spread += (1 - middle) ** 2 * q0 * (1 - q0) / m0
        half = Z * math.sqrt(spread) / (q0 + q1 - 1)
        return CalibratedShare(
            judged,
            _cut(plain),
            _cut(middle - half),
            _cut(middle + half),
            n,
        )


def _corrected(
    share: float,
    sensitivity: float,
    specificity: float,
) -> float:
    skill = sensitivity + specificity - 1
    return (share + specificity - 1) / skill if skill > 0 else NAN


def _cut(share: float) -> float:
    return min(max(share, 0.0), 1.0)
