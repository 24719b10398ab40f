"""A test of paired values whose two labels may be swapped under the null hypothesis."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from .cluster import ClusterIndex, Mask


def swap_test(
    values: ArrayLike,
    swapped: ArrayLike,
    resamples: int = 1000,
    clusters: Sequence[str] | ClusterIndex | None = None,
) -> float:
    """Return the two-sided p of the permutation test of the mean of n paired values
    against swapping the labels of each pair.

    `values` holds a statistic of each pair, `swapped` the same statistic with its
    labels exchanged; shape (n,). For a difference that is its negative (the sign-flip
    test); a statistic that punishes one direction has a null mean other than 0, and the
    p-value is two-sided around that mean. p = (1 + draws at least as far) / (1 +
    draws), so it is never 0. Pairs of one cluster (names, or their places) are swapped
    together. NaN for fewer than two clusters. Equal
    values give an equal p. Source:
    Good, Permutation Tests (2005), ch. 3.
    """
    given = np.asarray(values, dtype=float)
    exchanged = np.asarray(swapped, dtype=float)
    if clusters is None:
        clusters = np.arange(len(given))
    index = np.unique(clusters, return_inverse=True)[1]
    # half of what each cluster adds to the distance from the null mean
    halves = (given - exchanged) / (2 * max(len(given), 1))
    gaps = np.bincount(index, halves)
    if len(gaps) < 2:
        return math.nan
    # row by row: as numbers for one product, the signs of very many pairs would not fit
    # into memory
    total = gaps.sum()
    draws = [2 * gaps[kept].sum() for kept in _kept(len(gaps), resamples)]
    far = np.abs(np.array(draws) - total) >= abs(total) - 1e-12
    return float((1 + far.sum()) / (1 + resamples))


@lru_cache(maxsize=2)
def _kept(
    n: int,
    resamples: int,
) -> Mask:
    """Return which clusters keep their labels, shape (resamples, n); held for further
    statistics of the same pairs.
    """
    drawn = np.random.default_rng(0).bytes(resamples * n)
    bits = np.frombuffer(drawn, dtype=np.uint8) & 1
    return bits.reshape(-1, n).astype(bool)
