"""Uncertainty of statistics that are functions of sums, with dependent rows grouped
into clusters.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .proportion import wilson

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Statistic = Callable[[Floats], Floats]
"""Maps sums, shape (..., k), to statistics, shape (..., m), row by row."""
ClusterIndex = NDArray[np.intp]
"""The place of each row's cluster in the order of the clusters' names."""

_CELLS = 8_000_000
"""Largest number of resampling weights held as floats at a time (64 MB)."""
_KEPT = 4_000_000
"""Largest number of resampling weights that are kept for the next statistics of the
same clusters (8 MB).
"""


@dataclass(frozen=True)
class Interval:
    """Percentile interval and standard error of m statistics, each of shape (m,)."""

    low: Floats
    high: Floats
    stderr: Floats


def places_of(names: Iterable[object]) -> ClusterIndex:
    """Return the place of each row's cluster in the order of the clusters' names, shape
    (n,).
    """
    texts = np.array([str(name) for name in names], dtype=object)
    return np.unique(texts, return_inverse=True)[1].astype(np.intp)


def cluster_sums(rows: Floats, clusters: Sequence[str] | ClusterIndex) -> Floats:
    """Return the sums of the rows of each cluster: shape (n, k) and n names, or places,
    to (number of clusters, k).

    Clusters come in order of their names, so that a seeded resample does not depend on
    the order of the rows.
    """
    names, places = np.unique(clusters, return_inverse=True)
    sums = np.zeros((len(names), rows.shape[1]))
    # column by column costs a tenth of `np.add.at`, and adds in the same order
    for i, column in enumerate(rows.T):
        sums[:, i] = np.bincount(
            places,
            column,
            len(names),
        )
    return sums


def jackknife_stderr(
    sums: Floats,
    statistic: Statistic,
    used: Mask | None = None,
) -> Floats:
    """Return the delete-one-cluster jackknife standard error of each statistic, shape
    (m,).

    `used` says which clusters have a row of each statistic, shape (clusters, m): only
    those count (all by default). For a mean over clusters of one row each it equals s /
    sqrt(n) exactly. NaN with fewer than two clusters, and where deleting some cluster
    leaves the statistic undefined. Source: Efron and Tibshirani (1993), ch. 11.
    """
    left_out = statistic(sums.sum(axis=0) - sums)
    inside = np.ones(left_out.shape, dtype=bool) if used is None else used
    n = inside.sum(axis=0)
    divisor = np.maximum(n, 1)
    mean = np.where(inside, left_out, 0.0).sum(axis=0) / divisor
    spread = (np.where(inside, left_out - mean, 0.0) ** 2).sum(axis=0)
    result: Floats = np.where(
        n > 1,
        np.sqrt((n - 1) / divisor * spread),
        np.nan,
    )
    return result


def bootstrap(
    sums: Floats,
    statistic: Statistic,
    resamples: int = 1000,
) -> Interval:
    """Return 95 % percentile intervals from resampling whole clusters with replacement
    (paper App. G; unit: ours).

    A resample is a multinomial draw of cluster weights, so that one matrix product
    serves all statistics; equal sums give equal intervals. One in which a statistic is
    undefined (NaN) is left out of that statistic's quantiles. With fewer than two
    clusters every bound is NaN.
    """
    return bootstrap_of_weights(
        len(sums),
        lambda weights: statistic(weights @ sums),
        resamples,
    )


def wilson_at_bounds(
    interval: Interval,
    sums: Floats,
    statistic: Statistic,
) -> Interval:
    """Return the interval of `bootstrap` for statistics in [0, 1], with some width
    where one is exactly 0 or 1.

    There every resample gives the same value, and the percentile interval would claim
    certainty, but 0 of 24 is no rate of 0. The Wilson interval stands in its place,
    with the clusters that have a value as n: as if the rows of a cluster were one,
    which is the cautious reading of dependent rows (Wilson 1927; clusters: ours).
    """
    if len(sums) < 2:
        return interval
    value = statistic(sums.sum(axis=0))
    clusters = (~np.isnan(statistic(sums))).sum(axis=0)
    low = interval.low.copy()
    high = interval.high.copy()
    for i in np.flatnonzero((value == 0) | (value == 1)):
        n = float(clusters[i])
        low[i], high[i] = wilson(float(value[i]) * n, n)
    return Interval(low, high, interval.stderr)


def bootstrap_of_weights(
    n: int,
    statistic: Statistic,
    resamples: int = 1000,
) -> Interval:
    """Return the intervals that `bootstrap` has, of statistics that are no functions of
    sums.

    `statistic` maps how often each of n clusters counts, shape (..., n), to (..., m).
    """
    if n < 2 or not resamples:
        m = len(statistic(np.ones(n)))
        return _interval(np.full((resamples, m), np.nan))
    kept = n * resamples <= _KEPT
    parts = _kept_weights(n, resamples) if kept else _weights(n, resamples)
    # whole numbers would be multiplied without the help of BLAS
    draws = [statistic(part.astype(np.float64)) for part in parts]
    return _interval(np.concatenate(draws))


@lru_cache(maxsize=8)
def _kept_weights(n: int, resamples: int) -> list[NDArray[Any]]:
    """Return resampling weights, kept, because many statistics of the same clusters are
    asked for in turn.
    """
    return list(_weights(n, resamples))


def _weights(n: int, resamples: int) -> Iterator[NDArray[Any]]:
    """Yield how often each cluster is drawn, in parts of some resamples."""
    rng = np.random.default_rng(0)
    step = max(1, _CELLS // n)
    for start in range(0, resamples, step):
        weights = rng.multinomial(
            n,
            np.full(n, 1 / n),
            size=min(step, resamples - start),
        )
        yield weights.astype(np.min_scalar_type(int(weights.max())))


def _interval(draws: Floats) -> Interval:
    """Return the quantiles and the standard deviation of each statistic over the draws
    that define it.
    """
    columns = [column[~np.isnan(column)] for column in draws.T]
    ends = [
        np.quantile(column, (0.025, 0.975)) if len(column) else (np.nan, np.nan)
        for column in columns
    ]
    low, high = np.array(ends, dtype=float).reshape(-1, 2).T
    stderr = [column.std(ddof=1) if len(column) > 1 else np.nan for column in columns]
    return Interval(
        low,
        high,
        np.array(stderr),
    )
