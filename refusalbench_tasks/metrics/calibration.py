"""Calibration of stated or measured confidence: pure functions on arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refusalbench_tasks.stats.cluster import Floats


@dataclass(frozen=True)
class Bin:
    """One bin of a reliability diagram: n rows stated `confidence`; the share `accuracy` of them was right.

    `accuracy` is NaN where n is 0.
    """

    confidence: float
    n: int
    accuracy: float


def reliability(confidence: ArrayLike, correct: ArrayLike, levels: Sequence[float]) -> list[Bin]:
    """Return one bin per level, for confidence that can only take the values in `levels`.

    Args: `confidence` and `correct`, shape (n,); `correct` in [0, 1]. Raises ValueError if the shapes differ or a
    confidence is not one of the levels (NaN included: leave unparsed rows out, and count them).
    """
    stated, right = _paired(confidence, correct)
    values = np.asarray(levels, dtype=float)
    index = np.abs(stated[:, None] - values[None, :]).argmin(axis=1) if len(stated) else np.zeros(0, dtype=int)
    if len(stated) and not np.allclose(values[index], stated, atol=1e-9, rtol=0):
        raise ValueError(f"every confidence must be one of {list(map(float, values))}")
    bins = []
    for i, value in enumerate(values):
        inside = right[index == i]
        bins.append(Bin(float(value), len(inside), float(inside.mean()) if len(inside) else float("nan")))
    return bins


def equal_width(confidence: ArrayLike, correct: ArrayLike, bins: int = 10, closed: bool = True) -> list[Bin]:
    """Return bins of equal width over [0, 1], for confidence that can take any value; empty bins included.

    A bin's `confidence` is the mean of its rows, NaN where n is 0. Args: as `reliability`; `correct` may be a grade in
    [0, 1]. A confidence of exactly 1 is in the last bin. `closed=False` is BLUFF's released code: there it is in none,
    and the edges are numpy's, so that 0.3, 0.6 and 0.7, which lie a rounding error below theirs, fall one bin lower.
    Raises ValueError for a value outside [0, 1], NaN included.
    """
    stated, right = _paired(confidence, correct)
    if not ((stated >= 0) & (stated <= 1)).all():
        raise ValueError("every confidence must lie in [0, 1]")
    index = bin_index(stated, bins, closed)
    found = []
    for i in range(bins):
        inside = index == i
        n = int(inside.sum())
        means = (float(stated[inside].mean()), float(right[inside].mean())) if n else (float("nan"), float("nan"))
        found.append(Bin(means[0], n, means[1]))
    return found


def bin_index(confidence: ArrayLike, bins: int = 10, closed: bool = True) -> NDArray[np.intp]:
    """Return the bin of each confidence in [0, 1], from 0, as `equal_width` has them; `bins` for one in none."""
    stated = np.asarray(confidence, dtype=float)
    index: NDArray[np.intp]
    if closed:
        index = np.minimum(np.floor(stated * bins).astype(np.intp), bins - 1)
    else:
        index = np.searchsorted(np.linspace(0, 1, bins + 1), stated, side="right") - 1
    return index


def expected_calibration_error(bins: Sequence[Bin], total: int | None = None) -> float:
    """Return the n-weighted mean distance between accuracy and confidence: sum over bins of n_b/N |acc_b - conf_b|.

    With the five levels this is the paper's ECE, whose bins are compared with the midpoints of their ranges
    (paper App. D, F.2). In [0, 1]; NaN without rows. `total` is N where rows outside the bins count, else their sum.
    """
    n = sum(b.n for b in bins) if total is None else total
    if n == 0:
        return float("nan")
    return sum(b.n * abs(b.accuracy - b.confidence) for b in bins if b.n) / n


def brier_score(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Return the mean squared difference of confidence and correctness, in [0, 1]; NaN without rows (Brier 1950)."""
    stated, right = _paired(confidence, correct)
    return float(np.mean((stated - right) ** 2)) if len(stated) else float("nan")


def _paired(confidence: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    stated, right = np.asarray(confidence, dtype=float), np.asarray(correct, dtype=float)
    if stated.shape != right.shape or stated.ndim != 1:
        raise ValueError(f"expected two arrays of one length, got shapes {stated.shape} and {right.shape}")
    return stated, right
