"""How right the answers of BLUFF-1000 are, and whether their confidence tells."""

import numpy as np

from refusalbench_tasks.metrics.calibration import brier_score, equal_width, expected_calibration_error
from refusalbench_tasks.metrics.hedging import OFFICIAL_REFUSAL_CREDIT, correlation
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.known import known_mean, known_n


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
