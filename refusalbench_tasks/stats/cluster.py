"""Uncertainty of statistics that are functions of sums, with dependent rows grouped into clusters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.proportion import wilson

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Statistic = Callable[[Floats], Floats]
"""Maps sums, shape (..., k), to statistics, shape (..., m), row by row."""

_CELLS = 20_000_000
"""Largest number of resampling weights held at a time (160 MB)."""
_KEPT = 1_000_000
"""Largest number of resampling weights kept for the next call (8 MB)."""


@dataclass(frozen=True)
class Interval:
    """Percentile interval and standard error of m statistics, each of shape (m,)."""

    low: Floats
    high: Floats
    stderr: Floats


def cluster_sums(rows: Floats, clusters: Sequence[str] | NDArray[np.str_]) -> Floats:
    """Return the sums of the rows of each cluster: shape (n, k) and n names to (number of clusters, k).

    Clusters come in order of their names, so that a seeded resample does not depend on the order of the rows.
    """
    if len(rows) == 0:
        return np.zeros((0, rows.shape[1]))
    listed = list(map(str, clusters.tolist() if isinstance(clusters, np.ndarray) else clusters))
    names = sorted(set(listed))
    places = {name: i for i, name in enumerate(names)}
    index = np.fromiter((places[name] for name in listed), dtype=np.intp, count=len(listed))
    return sums_at(rows, index, len(names))


def sums_at(rows: Floats, index: NDArray[np.intp], n: int) -> Floats:
    """Return the sums of the rows of each place: shape (rows, k) and a place below n for each row to (n, k)."""
    # column by column costs a tenth of `np.add.at`, and adds in the same order
    return np.stack([np.bincount(index, column, n) for column in rows.T], axis=1) if rows.shape[1] else np.zeros((n, 0))


def jackknife_stderr(sums: Floats, statistic: Statistic) -> Floats:
    """Return the delete-one-cluster jackknife standard error of each statistic, shape (m,).

    For a mean over clusters of one row each it equals s / sqrt(n) exactly. NaN with fewer than two clusters, and
    where deleting some cluster leaves the statistic undefined. Source: Efron and Tibshirani (1993), ch. 11.
    """
    n = len(sums)
    if n < 2:
        return np.full_like(statistic(sums.sum(axis=0)), np.nan)
    left_out = statistic(sums.sum(axis=0) - sums)
    spread = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
    result: Floats = np.sqrt((n - 1) / n * spread)
    return result


def bootstrap(
    sums: Floats, statistic: Statistic, resamples: int = 1000, seed: int = 0, level: float = 0.95
) -> Interval:
    """Return percentile intervals from resampling whole clusters with replacement (paper App. G; unit: ours).

    A resample is a multinomial draw of cluster weights, so one matrix product serves all statistics. A resample in
    which a statistic is undefined (NaN) is left out of that statistic's quantiles. With fewer than two clusters
    every bound is NaN. Equal seeds give equal intervals.
    """
    n = len(sums)
    if n < 2:
        nothing = np.full_like(statistic(sums.sum(axis=0)), np.nan)
        return Interval(nothing, nothing, nothing)
    draws = bootstrap_draws(sums, statistic, resamples, seed)
    tail = (1 - level) / 2
    low, high = _quantiles(draws, (tail, 1 - tail))
    defined = (~np.isnan(draws)).sum(axis=0) > 1
    centre = np.where(defined, np.nansum(draws, axis=0) / np.maximum((~np.isnan(draws)).sum(axis=0), 1), np.nan)
    squares = np.nansum((draws - centre) ** 2, axis=0)
    stderr = np.sqrt(squares / np.maximum((~np.isnan(draws)).sum(axis=0) - 1, 1))
    return Interval(low, high, np.where(defined, stderr, np.nan))


def bounded_bootstrap(sums: Floats, statistic: Statistic, resamples: int = 1000, seed: int = 0) -> Interval:
    """Return `bootstrap` of statistics in [0, 1], with an interval of some width where a statistic is exactly 0 or 1.

    There every resample gives the same value, and the percentile interval would claim certainty, but 0 of 24 is no rate
    of 0. The Wilson interval stands in its place, with the clusters that have a value as n: as if the rows of a cluster
    were one, which is the cautious reading of dependent rows (Wilson 1927; clusters: ours).
    """
    interval = bootstrap(sums, statistic, resamples, seed)
    if len(sums) < 2:
        return interval
    value, clusters = statistic(sums.sum(axis=0)), (~np.isnan(statistic(sums))).sum(axis=0)
    low, high = interval.low.copy(), interval.high.copy()
    for i in np.flatnonzero((value == 0) | (value == 1)):
        low[i], high[i] = wilson(float(value[i]) * clusters[i], float(clusters[i]))
    return Interval(low, high, interval.stderr)


def bootstrap_draws(sums: Floats, statistic: Statistic, resamples: int = 1000, seed: int = 0) -> Floats:
    """Return the statistics of each resample of whole clusters, shape (resamples, m); equal seeds give equal draws.

    All NaN with fewer than two clusters.
    """
    if len(sums) < 2:
        return np.full((resamples, len(statistic(sums.sum(axis=0)))), np.nan)
    return statistic(_resampled_sums(sums, resamples, seed))


def _resampled_sums(sums: Floats, resamples: int, seed: int) -> Floats:
    n = len(sums)
    step = max(1, min(resamples, _CELLS // n))
    if step == resamples and n * resamples <= _KEPT:
        product: Floats = _weights(n, resamples, seed) @ sums
        return product
    rng, share = np.random.default_rng(seed), np.full(n, 1 / n)
    parts = []
    for start in range(0, resamples, step):
        weights = rng.multinomial(n, share, size=min(step, resamples - start))
        parts.append(weights @ sums)
    return np.concatenate(parts)


@lru_cache(maxsize=2)
def _weights(n: int, resamples: int, seed: int) -> Floats:
    """Return resampling weights, shape (resamples, n); kept, because metrics are computed again and again."""
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)


def _quantiles(draws: Floats, shares: tuple[float, float]) -> tuple[Floats, Floats]:
    if not np.isnan(draws).any():
        low, high = np.quantile(draws, shares, axis=0)
        return low, high
    columns = [column[~np.isnan(column)] for column in draws.T]
    ends = [np.quantile(c, shares) if len(c) else np.array([np.nan, np.nan]) for c in columns]
    pairs = np.array(ends).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
