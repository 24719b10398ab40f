"""Selective prediction: what is risked if only the most confident replies are kept."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refusalbench_tasks.stats.cluster import Floats

_NEAR = 1 << 16
"""So many weights are worked on at a time."""


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


def weighted_areas(score: ArrayLike, wrong: ArrayLike, risk: ArrayLike, weights: Floats) -> Floats:
    """Return AUROC and AURC of a score under weights, shape (..., n) whole numbers, to (..., 2).

    A weight says how often a reply counts; with ones AURC is the `area` of `risk_coverage(-score, risk)`.

    Args:
        score: What should be high where a reply is wrong, shape (n,).
        wrong: 1 for a wrong reply, else 0, shape (n,).
        risk: What a reply that is kept costs, in [0, 1], shape (n,); the lowest scores are kept first.
        weights: How often each reply counts.

    AUROC is the chance that a wrong reply has the higher score than a right one, ties one half (Mann-Whitney); NaN
    without a wrong or a right one. AURC is NaN without replies.
    """
    values = np.asarray(score, dtype=float)
    if not len(values):
        return np.full((*weights.shape[:-1], 2), np.nan)
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(values[order]) > 0]))
    is_wrong, risks = np.asarray(wrong, dtype=float)[order], np.asarray(risk, dtype=float)[order]
    if weights.ndim != 2:
        return _areas(weights.take(order, axis=-1), starts, is_wrong, risks)
    # a few resamples at a time, so that what is made of them stays near the processor
    step = max(1, _NEAR // len(values))
    parts = (weights[k : k + step].take(order, axis=-1) for k in range(0, len(weights), step))
    return np.concatenate([_areas(part, starts, is_wrong, risks) for part in parts])


def _areas(weights: Floats, starts: NDArray[np.intp], wrong: Floats, risk: Floats) -> Floats:
    """Return AUROC and AURC of replies in the order of their scores; blocks of ties begin at `starts`."""
    if len(starts) == weights.shape[-1]:
        size, bad, risks = weights, weights * wrong, weights * risk
    else:
        size, bad, risks = (np.add.reduceat(one, starts, axis=-1) for one in (weights, weights * wrong, weights * risk))
    return np.stack([_auroc(size, bad), _aurc(size, risks)], axis=-1)


def _auroc(size: Floats, bad: Floats) -> Floats:
    good = size - bad
    below = np.cumsum(good, axis=-1) - good
    pairs = bad.sum(axis=-1) * good.sum(axis=-1)
    higher = (bad * (below + good / 2)).sum(axis=-1)
    result: Floats = np.where(pairs > 0, higher / np.where(pairs > 0, pairs, 1.0), np.nan)
    return result


def _aurc(size: Floats, risk: Floats) -> Floats:
    """Return the mean risk over coverages from blocks of ties, whose risk grows evenly.

    With K kept before a block at a summed risk of B, and s more at a risk of r each, the risks of its coverages sum to
    the sum over j = 1 .. s of (B + j r) / (K + j) = s r + (B - K r) (H(K + s) - H(K)), H the harmonic numbers.
    """
    kept, total = np.cumsum(size, axis=-1), np.cumsum(risk, axis=-1)
    before, risk_before = kept - size, total - risk
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, int(kept.max(initial=0)) + 1))])
    each = np.where(size > 0, risk / np.where(size > 0, size, 1.0), 0.0)
    steps = np.diff(harmonic[kept.astype(np.intp)], axis=-1, prepend=0.0)
    n = kept[..., -1]
    area = (risk + (risk_before - before * each) * steps).sum(axis=-1)
    result: Floats = np.where(n > 0, area / np.where(n > 0, n, 1.0), np.nan)
    return result
