"""How well a score tells wrong replies from right ones: areas under two curves."""

import numpy as np
from numpy.typing import ArrayLike

from .cluster import Floats
from .proportion import ratios


def weighted_areas(
    score: ArrayLike,
    wrong: ArrayLike,
    risk: ArrayLike,
    weights: Floats,
) -> Floats:
    """Return AUROC and AURC of a score that should be high where `wrong` is 1 and not
    0: weights (..., n) to (..., 2).

    `score`, `wrong` and `risk`, what a kept reply costs, have the shape (n,); weights
    are how often each counts. AUROC is the chance that a wrong reply has the higher
    score than a right one, ties one half (Mann-Whitney); NaN without a wrong or a right
    one. AURC is the mean risk over all coverages k / n of the replies with the lowest
    scores, ties in random order (Geifman and El-Yaniv 2017); NaN without replies.
    """
    values = np.asarray(score, dtype=float)
    if not len(values):
        return np.full((*weights.shape[:-1], 2), np.nan)
    order = np.argsort(values, kind="stable")
    is_new = np.diff(values[order]) > 0
    starts = np.flatnonzero(np.concatenate([[True], is_new]))
    counts = weights[..., order]
    size, bad, risks = (
        np.add.reduceat(counts * np.asarray(each, dtype=float)[order], starts, axis=-1)
        for each in (np.ones(len(values)), wrong, risk)
    )
    good = size - bad
    below = np.cumsum(good, axis=-1) - good
    won = (bad * (below + good / 2)).sum(axis=-1)
    auroc = ratios(won, bad.sum(axis=-1) * good.sum(axis=-1))
    return np.stack([auroc, _aurc(size, risks)], axis=-1)


def _aurc(size: Floats, risk: Floats) -> Floats:
    """Return the mean risk over coverages from blocks of ties, whose risk grows evenly.

    With K kept before a block at a summed risk of B, and s more at a risk of r each,
    the risks of its coverages sum to the sum over j = 1 .. s of (B + j r) / (K + j) = s
    r + (B - K r) (H(K + s) - H(K)), H the harmonic numbers.
    """
    kept = np.cumsum(size, axis=-1)
    before = kept - size
    risk_before = np.cumsum(risk, axis=-1) - risk
    most = int(kept.max(initial=0))
    inverse = 1 / np.arange(1, most + 1)
    harmonic = np.concatenate([[0.0], np.cumsum(inverse)])
    each = np.nan_to_num(ratios(risk, size))
    steps = np.diff(
        harmonic[kept.astype(np.intp)],
        axis=-1,
        prepend=0.0,
    )
    of_blocks = risk + (risk_before - before * each) * steps
    return ratios(of_blocks.sum(axis=-1), kept[..., -1])
