"""A mean measured by an imperfect judge on all rows and by people on some."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refusalbench_tasks.stats.proportion import Z


@dataclass(frozen=True)
class Stratum:
    """Rows of one kind: the judge's values on all of them, and people's and the judge's
    on those that people read.
    """

    judged: ArrayLike
    read: ArrayLike
    judged_of_read: ArrayLike


@dataclass(frozen=True)
class Corrected:
    """The mean of a judge over all n rows, and the mean as corrected by the n_read that
    people read.
    """

    judged: float
    corrected: float
    low: float
    high: float
    n: int
    n_read: int


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
    parts = [part for part in map(_arrays, strata) if len(part[0])]
    total = sum(len(judged) for judged, _, _ in parts)
    mean = 0.0
    variance = 0.0
    for judged, read, of_read in parts:
        weight = len(judged) / total
        n = len(read)
        gap = read - of_read
        mean += weight * (float(judged.mean()) + (float(gap.mean()) if n else math.nan))
        if n < len(judged):
            spread = max(float(gap.var(ddof=1)), _floor(gap)) if n > 1 else math.nan
            variance += weight**2 * (1 - n / len(judged)) * spread / max(n, 1)
    judge = (
        float(np.concatenate([judged for judged, _, _ in parts]).mean())
        if parts
        else math.nan
    )
    mean = mean if parts else math.nan
    half = Z * math.sqrt(variance) if parts else math.nan
    return Corrected(
        judge,
        mean,
        mean - half,
        mean + half,
        total,
        sum(len(read) for _, read, _ in parts),
    )


def _arrays(stratum: Stratum) -> tuple[NDArray[np.float64], ...]:
    """Return the values of a stratum as arrays: judged, read, judged of read."""
    judged = np.asarray(stratum.judged, dtype=float)
    read = np.asarray(stratum.read, dtype=float)
    judged_of_read = np.asarray(stratum.judged_of_read, dtype=float)
    if read.shape != judged_of_read.shape or len(read) > len(judged):
        raise ValueError(
            "expected as many values from people as from the judge, and no more than"
            " rows"
        )
    return judged, read, judged_of_read


def _floor(gap: NDArray[np.float64]) -> float:
    share = (float((gap != 0).sum()) + 1) / (len(gap) + 2)
    return share * (1 - share)
