"""Uncertainty of statistics that are functions of sums, with dependent rows grouped into clusters."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.proportion import wilson

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.intp]
"""How many clusters have each of the sums that are given; without it each sum is one cluster's."""
Statistic = Callable[[Floats], Floats]
"""Maps sums, shape (..., k), to statistics, shape (..., m), row by row."""

Places = NDArray[np.intp]
"""The place of each row's cluster in the order of the clusters' names."""

_CELLS = 8_000_000
"""Largest number of resampling weights held as floats at a time (64 MB)."""
_KEPT = 50_000_000
"""Largest number of resampling weights kept for the next call (50 MB)."""
MANY = 20_000
"""From so many clusters on, those with equal sums are drawn together."""
_FEW, _FEWER_KEPT = 2_000_000, 24
"""Up to so many weights, those of so many calls are kept: a report's tables and pairs of models take turns."""


@dataclass(frozen=True)
class Interval:
    """Percentile interval and standard error of m statistics, each of shape (m,)."""

    low: Floats
    high: Floats
    stderr: Floats


def places_of(clusters: Sequence[str] | NDArray[np.str_] | Places) -> Places:
    """Return the place of each row's cluster in the order of the clusters' names, shape (n,).

    What is computed once serves `cluster_sums` of all rows and of any part of them.
    """
    listed = clusters.tolist() if isinstance(clusters, np.ndarray) else clusters
    places = {name: i for i, name in enumerate(sorted(set(map(str, listed))))}
    return np.fromiter((places[str(name)] for name in listed), dtype=np.intp, count=len(listed))


def cluster_sums(
    rows: Floats,
    clusters: Sequence[str] | NDArray[np.str_] | Places,
    kinds: NDArray[np.integer[Any]] | None = None,
) -> Floats:
    """Return the sums of the rows of each cluster: shape (n, k) and n names, or places, to (number of clusters, k).

    Clusters come in order of their names, so that a seeded resample does not depend on the order of the rows. With
    `kinds`, `rows` has a row of each kind, and `kinds` the number of each row's.
    """
    if len(clusters) == 0:
        return np.zeros((0, rows.shape[1]))
    named = not (isinstance(clusters, np.ndarray) and clusters.dtype == np.intp)
    places = places_of(clusters) if named else np.asarray(clusters, dtype=np.intp)
    index, number = without_gaps(places)
    return sums_at(rows, index, number, kinds)


def without_gaps(places: Places) -> tuple[Places, int]:
    """Return places in the same order, of which each is taken, and how many they are."""
    # a part of the rows need not have every cluster
    there = np.zeros(int(places.max(initial=-1)) + 1, dtype=bool)
    there[places] = True
    return (np.cumsum(there) - 1)[places], int(there.sum())


def sums_at(
    rows: Floats,
    index: NDArray[np.intp],
    n: int,
    kinds: NDArray[np.integer[Any]] | None = None,
) -> Floats:
    """Return the sums of the rows of each place: shape (rows, k) and a place below n for each row to (n, k).

    With `kinds`, `rows` has a row of each kind, and `kinds` the number of each row's.
    """
    sums = np.zeros((n, rows.shape[1]))
    # column by column costs a tenth of `np.add.at`, and adds in the same order
    for place, column in enumerate(rows.T):
        if column.any():
            sums[:, place] = np.bincount(index, column if kinds is None else column[kinds], n)
    return sums


def jackknife_stderr(
    sums: Floats, statistic: Statistic, numbers: Numbers | None = None, used: Mask | None = None
) -> Floats:
    """Return the delete-one-cluster jackknife standard error of each statistic, shape (m,).

    `used` says which clusters have a row of each statistic, shape (clusters, m): only those count (all by default). For
    a mean over clusters of one row each it equals s / sqrt(n) exactly. NaN with fewer than two clusters, and where
    deleting some cluster leaves the statistic undefined. Source: Efron and Tibshirani (1993), ch. 11.
    """
    if numbers is not None or (used is None and len(sums) > MANY):
        return _jackknife_of_kinds(sums, statistic, numbers)
    left_out = statistic(sums.sum(axis=0) - sums)
    inside = np.ones(left_out.shape, dtype=bool) if used is None else used
    n = inside.sum(axis=0)
    mean = np.where(inside, left_out, 0.0).sum(axis=0) / np.maximum(n, 1)
    spread = (np.where(inside, left_out - mean, 0.0) ** 2).sum(axis=0)
    result: Floats = np.where(n > 1, np.sqrt((n - 1) / np.maximum(n, 1) * spread), np.nan)
    return result


def _jackknife_of_kinds(sums: Floats, statistic: Statistic, numbers: Numbers | None) -> Floats:
    n = _clusters(sums, numbers)
    if n < 2:
        return np.full_like(statistic(sums.sum(axis=0)), np.nan)
    kinds, number = _kinds(sums, numbers)
    left_out = statistic(number @ kinds - kinds)
    spread = number @ (left_out - number @ left_out / n) ** 2
    result: Floats = np.sqrt((n - 1) / n * spread)
    return result


def bootstrap(
    sums: Floats,
    statistic: Statistic,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    numbers: Numbers | None = None,
) -> Interval:
    """Return percentile intervals from resampling whole clusters with replacement (paper App. G; unit: ours).

    A resample is a multinomial draw of cluster weights, so one matrix product serves all statistics. Of very many
    clusters those with equal sums are drawn as one of their joint weight, which has the same distribution. A resample
    in which a statistic is undefined (NaN) is left out of that statistic's quantiles. With fewer than two clusters
    every bound is NaN. Equal seeds give equal intervals. `numbers` are for very many clusters only (over `MANY`).
    """
    if _clusters(sums, numbers) < 2:
        nothing = np.full_like(statistic(sums.sum(axis=0)), np.nan)
        return Interval(nothing, nothing, nothing)
    return _interval(bootstrap_draws(sums, statistic, resamples, seed, numbers), level)


def bootstrap_of_weights(n: int, statistic: Statistic, resamples: int = 1000, seed: int = 0) -> Interval:
    """Return the intervals that `bootstrap` has, of statistics that are no functions of sums.

    `statistic` maps how often each of n clusters counts, shape (..., n), to (..., m).
    """
    if n < 2:
        nothing = np.full_like(statistic(np.ones(n)), np.nan)
        return Interval(nothing, nothing, nothing)
    draws = [statistic(part.astype(np.float64)) for part in _weights_of(n, resamples, seed)]
    return _interval(np.concatenate(draws))


def _interval(draws: Floats, level: float = 0.95) -> Interval:
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
    return bounded(bootstrap(sums, statistic, resamples, seed), sums, statistic)


def bounded(interval: Interval, sums: Floats, statistic: Statistic, numbers: Numbers | None = None) -> Interval:
    """Return the interval of `bounded_bootstrap` from that of `bootstrap`."""
    n = _clusters(sums, numbers)
    if n < 2:
        return interval
    kinds, number = _kinds(sums, numbers) if n > MANY else (sums, np.ones(n, dtype=np.intp))
    value, clusters = statistic(number @ kinds), number @ ~np.isnan(statistic(kinds))
    low, high = interval.low.copy(), interval.high.copy()
    for i in np.flatnonzero((value == 0) | (value == 1)):
        low[i], high[i] = wilson(float(value[i]) * clusters[i], float(clusters[i]))
    return Interval(low, high, interval.stderr)


def bootstrap_draws(
    sums: Floats, statistic: Statistic, resamples: int = 1000, seed: int = 0, numbers: Numbers | None = None
) -> Floats:
    """Return the statistics of each resample of whole clusters, shape (resamples, m); equal seeds give equal draws.

    All NaN with fewer than two clusters.
    """
    if _clusters(sums, numbers) < 2:
        return np.full((resamples, len(statistic(sums.sum(axis=0)))), np.nan)
    return statistic(_resampled_sums(sums, resamples, seed, numbers))


def _resampled_sums(sums: Floats, resamples: int, seed: int, numbers: Numbers | None) -> Floats:
    n = _clusters(sums, numbers)
    number = np.ones(n, dtype=np.intp)
    if n > MANY:
        sums, number = _kinds(sums, numbers)
    # many counts are of what a run has none of
    used = sums.any(axis=0)
    chosen = np.ascontiguousarray(sums[:, used])
    drawn = np.zeros((resamples, sums.shape[1]))
    if n > MANY:
        parts = _weights(n, resamples, seed, max(1, min(resamples, _CELLS // len(chosen))), number / n)
    else:
        parts = iter(_weights_of(n, resamples, seed))
    # whole numbers of a small type would be multiplied without the help of BLAS
    drawn[:, used] = np.concatenate([part.astype(np.float64) @ chosen for part in parts])
    return drawn


def _clusters(sums: Floats, numbers: Numbers | None) -> int:
    return len(sums) if numbers is None else int(numbers.sum())


def _kinds(sums: Floats, numbers: Numbers | None = None) -> tuple[Floats, NDArray[np.intp]]:
    """Return the different sums of clusters, in an order that follows from them alone, and how many have each."""
    order, new = np.arange(len(sums)), np.zeros(len(sums), dtype=bool)
    new[:1] = True
    # column by column, because a copy of all would be large
    varying = [column for column in sums.T if (column != column[0]).any()]
    for column in varying:
        order = order[np.argsort(column[order], kind="stable")]
    for column in varying:
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    alike = np.diff(starts, append=len(sums)) if numbers is None else np.add.reduceat(numbers[order], starts)
    return sums[order[starts]].astype(np.float64), alike


def _weights_of(n: int, resamples: int, seed: int) -> Iterable[NDArray[Any]]:
    """Return resampling weights in parts that are not too large to be held as floats."""
    step = max(1, min(resamples, _CELLS // n))
    weights = _few_weights if n * resamples <= _FEW else _kept_weights if n * resamples <= _KEPT else _weights
    return weights(n, resamples, seed, step)


@lru_cache(maxsize=_FEWER_KEPT)
def _few_weights(n: int, resamples: int, seed: int, step: int) -> list[NDArray[Any]]:
    return list(_weights(n, resamples, seed, step))


@lru_cache(maxsize=2)
def _kept_weights(n: int, resamples: int, seed: int, step: int) -> list[NDArray[Any]]:
    """Return resampling weights, kept, because metrics are computed again and again of the same clusters."""
    return list(_weights(n, resamples, seed, step))


def _weights(n: int, resamples: int, seed: int, step: int, shares: Floats | None = None) -> Iterator[NDArray[Any]]:
    """Yield weights of n draws, shape (step, kinds), in a type as small as they are: few are above 10, none above n.

    `shares` are those of the kinds; by default each of n is one.
    """
    rng, share = np.random.default_rng(seed), np.full(n, 1 / n) if shares is None else shares
    for start in range(0, resamples, step):
        weights = rng.multinomial(n, share, size=min(step, resamples - start))
        yield weights.astype(np.min_scalar_type(int(weights.max())))


def _quantiles(draws: Floats, shares: tuple[float, float]) -> tuple[Floats, Floats]:
    if not np.isnan(draws).any():
        low, high = np.quantile(draws, shares, axis=0)
        return low, high
    columns = [column[~np.isnan(column)] for column in draws.T]
    ends = [np.quantile(c, shares) if len(c) else np.array([np.nan, np.nan]) for c in columns]
    pairs = np.array(ends).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
