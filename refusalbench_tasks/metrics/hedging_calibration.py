"""How right the answers of BLUFF-1000 are, and whether their confidence tells."""

import numpy as np

from refusalbench_tasks.metrics.calibration import bin_index, brier_score, equal_width, expected_calibration_error
from refusalbench_tasks.metrics.hedging_index import OFFICIAL_REFUSAL_CREDIT, correlation
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats, cluster_sums
from refusalbench_tasks.stats.known import known_mean, known_n
from refusalbench_tasks.stats.uncertainty import uncertainty

_BINS = 10
_NAMES = ("ece", "brier", "confidence_accuracy_correlation")


def credited(rows: HedgingRows, protocol: Protocol | None = None) -> Floats:
    """Return the correctness of each row: answers only, and for `official-code` 0.4 for a refusal; else NaN.

    Where no answer was graded, refusals get nothing either: a mean over them alone would be 0.4 for any model.
    `protocol` is that of the rows unless given.
    """
    correctness = rows.column("correctness")
    ungraded = bool(rows.answered.any()) and bool(np.isnan(correctness).all())
    if (protocol or rows.protocol) == "official-code" and not ungraded:
        return np.where(rows.column("refused") == 1, OFFICIAL_REFUSAL_CREDIT, correctness)
    return correctness


def calibration_values(rows: HedgingRows) -> dict[str, float]:
    """Return ECE (ten bins), Brier and the correlation of confidence with correctness, over rows that have both.

    Answers only; `official-code`: with refusals at 0.4, and a confidence of exactly 1 in no bin. `confidence_mass` is
    the mean probability of both letters together, over every reply whose letters were looked for.
    """
    confidence, correctness = rows.column("confidence"), credited(rows)
    both = ~(np.isnan(confidence) | np.isnan(correctness))
    c, a = confidence[both], correctness[both]
    mass: Floats = np.array([row.confidence_mass for row in rows], dtype=float)
    return {
        "confidence_n": float(len(c)),
        "ece": expected_calibration_error(equal_width(c, a, closed=rows.protocol != "official-code"), len(c)),
        "brier": brier_score(c, a),
        "confidence_accuracy_correlation": correlation(c, a),
        "confidence_mean": known_mean(confidence),
        "confidence_mass": known_mean(mass),
        "confidence_mass_n": known_n(mass),
    }


def calibration_uncertainty(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return standard errors and 95 % intervals, by question, of ECE, Brier and the two correlations.

    Of `confidence_accuracy_correlation` and of `source_awareness`. NaN with fewer than two questions.
    """
    confidence, grades = rows.column("confidence"), credited(rows)
    quality: Floats = np.array([row.quality for row in rows], dtype=float)
    closed = rows.protocol != "official-code"
    result: dict[str, float] = {}
    for names, other in ((_NAMES, grades), (("source_awareness",), quality)):
        both = ~(np.isnan(confidence) | np.isnan(other))
        sums = cluster_sums(_cells(confidence[both], other[both], closed), rows.units_of(both))
        found = uncertainty(_NAMES, sums, _statistics, resamples, seed, unbounded=_NAMES)
        # the correlation is the last of the three, and all that is asked of the quality of sources
        result |= {
            f"{name}{key.removeprefix(place)}": value
            for name, place in zip(reversed(names), reversed(_NAMES), strict=False)
            for key, value in found.items()
            if key.startswith(f"{place}_")
        }
    return result


def _cells(confidence: Floats, other: Floats, closed: bool) -> Floats:
    """Return what `_statistics` are of sums of, one vector per row: gaps by bin, 1, and five moments and the square.

    Moments are about the mean of all rows, which changes no correlation and keeps their digits.
    """
    index = bin_index(confidence, _BINS, closed)
    gaps = [np.where(index == k, other - confidence, 0.0) for k in range(_BINS)]
    if len(confidence):
        c, a = confidence - confidence.mean(), other - other.mean()
    else:
        c, a = confidence, other
    return np.column_stack([*gaps, np.ones(len(c)), c, a, c * c, a * a, c * a, (confidence - other) ** 2])


def _statistics(totals: Floats) -> Floats:
    """Return ECE, Brier and Pearson's r from sums of `_cells`, NaN where undefined."""
    n, c, a, cc, aa, ca, squared = (totals[..., _BINS + k] for k in range(7))
    with np.errstate(divide="ignore", invalid="ignore"):
        ece, brier = np.abs(totals[..., :_BINS]).sum(axis=-1) / n, squared / n
        spread = np.sqrt(np.maximum(cc - c * c / n, 0) * np.maximum(aa - a * a / n, 0))
        r = np.where(spread > 1e-12, (ca - c * a / n) / spread, np.nan)
    result: Floats = np.stack([ece, brier, r], axis=-1)
    return result
