"""A mean measured by an imperfect judge on all rows and by people on some."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .calibrated import CalibratedShare
from .cluster import Floats
from .proportion import Z


@dataclass(frozen=True)
class Stratum:
    """Rows of one kind: the judge's values on all of them, and people's less the
    judge's on those that people read.
    """

    judged: Floats
    gaps: Floats


@dataclass(frozen=True)
class Corrected(CalibratedShare):
    """The mean of a judge over all n rows, and the mean as corrected by the n_read that
    people read.
    """

    n_read: int = 0


def corrected_mean(strata: Sequence[Stratum]) -> Corrected:
    """Return the judge's mean, corrected by what people found on a random part of each
    stratum.

    With weights W_h = N_h / N: the sum of W_h (mean of the judge over the stratum +
    mean of people - judge over its read rows), variance the sum of W_h^2 (1 - n_h /
    N_h) s_h^2 / n_h, where s_h is the deviation of people - judge. Unbiased however
    wrong the judge is. Bounds are not cut to [0, 1]. NaN if nobody read a row of some
    stratum; bounds NaN with one read row of several. s_h is at least that of (k + 1) /
    (n_h + 2) errors, k seen (Agresti's rule), so that agreement on a few rows is not
    taken for certainty. Source: stratified difference estimator, Cochran, Sampling
    Techniques (1977), ch. 7; it is prediction-powered inference (Angelopoulos et al.
    2023) within strata of a finite set.
    """
    parts = [stratum for stratum in strata if len(stratum.judged)]
    if not parts:
        return Corrected()
    total = sum(len(part.judged) for part in parts)
    judge = 0.0
    correction = 0.0
    variance = 0.0
    for part in parts:
        weight = len(part.judged) / total
        n = len(part.gaps)
        judge += weight * float(part.judged.mean())
        correction += weight * float(part.gaps.mean()) if n else math.nan
        if n < len(part.judged):
            spread = math.nan
            if n > 1:
                # the spread of gaps that are all alike is no certainty
                share = (float((part.gaps != 0).sum()) + 1) / (n + 2)
                spread = max(float(part.gaps.var(ddof=1)), share * (1 - share))
            variance += weight**2 * (1 - n / len(part.judged)) * spread / max(n, 1)
    mean = judge + correction
    half = Z * math.sqrt(variance)
    return Corrected(
        judge,
        mean,
        mean - half,
        mean + half,
        total,
        sum(len(part.gaps) for part in parts),
    )
