"""Selective prediction: what is risked if only the most confident replies are kept."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from refusalbench_tasks.stats.cluster import Floats


@dataclass(frozen=True)
class RiskCoverage:
    """The points of a risk-coverage curve and the area under it.

    One point per distinct confidence, the most confident first: `coverage` is the share of replies with at least that
    confidence, `risk` the share of these that is wrong. `area` (AURC) is the mean risk over all coverages k / n,
    replies of equal confidence in random order; NaN without replies.
    """

    coverage: Floats
    risk: Floats
    area: float


def risk_coverage(confidence: ArrayLike, wrong: ArrayLike) -> RiskCoverage:
    """Return the risk-coverage curve of n replies (El-Yaniv and Wiener 2010; Geifman and El-Yaniv 2017).

    Args: `confidence`, shape (n,), any real numbers; `wrong`, shape (n,), in [0, 1]. Raises ValueError for other shapes
    and for NaN: leave such replies out, and count them.
    """
    stated, errors = np.asarray(confidence, dtype=float), np.asarray(wrong, dtype=float)
    if stated.ndim != 1 or stated.shape != errors.shape:
        raise ValueError(f"expected two arrays of one length, got shapes {stated.shape} and {errors.shape}")
    if np.isnan(stated).any() or np.isnan(errors).any():
        raise ValueError("confidence and wrong must not be NaN")
    if not len(stated):
        return RiskCoverage(np.zeros(0), np.zeros(0), float("nan"))
    _, block, sizes = np.unique(-stated, return_inverse=True, return_counts=True)
    bad = np.bincount(block, weights=errors)
    kept = np.cumsum(sizes)
    # within a block of ties the expected number of errors grows evenly
    per_reply = np.cumsum(np.repeat(bad / sizes, sizes))
    n = len(stated)
    area = float((per_reply / np.arange(1, n + 1)).mean())
    return RiskCoverage(kept / n, np.cumsum(bad) / kept, area)
