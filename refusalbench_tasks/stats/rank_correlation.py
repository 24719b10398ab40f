"""How alike two series put the same things in order."""

import numpy as np
from numpy.typing import ArrayLike

from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.proportion import ratios

FEWEST = 3
"""With fewer things no order is worth a number: two are in the same order or in the reverse one."""


def kendall_tau(first: ArrayLike, second: ArrayLike) -> Floats:
    """Return Kendall's tau-b of the last axis, shape (..., m) each to (...), in [-1, 1]; NaN where one is constant.

    Pairs in the same order less pairs in the reverse one, over the root of (pairs untied in the first x pairs untied in
    the second). Source: Kendall (1945).
    """
    one, other = _arrays(first, second)
    i, j = np.triu_indices(one.shape[-1], 1)
    a, b = np.sign(one[..., i] - one[..., j]), np.sign(other[..., i] - other[..., j])
    return _cosine(a, b)


def spearman_rho(first: ArrayLike, second: ArrayLike) -> Floats:
    """Return Spearman's rho of the last axis, shape (..., m) each to (...), in [-1, 1]; NaN where one is constant.

    Pearson's correlation of the ranks, equal values with the mean of their ranks. Source: Spearman (1904).
    """
    from scipy.stats import rankdata

    one, other = (np.asarray(rankdata(values, axis=-1)) for values in _arrays(first, second))
    return _cosine(one - one.mean(axis=-1, keepdims=True), other - other.mean(axis=-1, keepdims=True))


def order_p(first: ArrayLike, second: ArrayLike) -> float:
    """Return the two-sided p of Kendall's tau against orders that have nothing to do with each other.

    Exact without ties, else by the normal approximation (scipy). NaN where one series is constant.
    """
    from scipy.stats import kendalltau

    one, other = _arrays(first, second)
    if len(set(one.tolist())) < 2 or len(set(other.tolist())) < 2:
        return float("nan")
    return float(kendalltau(one, other).pvalue)


def _arrays(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim < 1:
        raise ValueError(f"expected two arrays of one shape, got {one.shape} and {other.shape}")
    return one, other


def _cosine(a: Floats, b: Floats) -> Floats:
    return ratios((a * b).sum(axis=-1), np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1)))
