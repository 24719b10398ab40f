"""Bins of stated or measured confidence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Bin:
    """One bin of a reliability diagram: n replies stated `confidence`; the share `accuracy` of them was right.

    `accuracy` is NaN where n is 0.
    """

    confidence: float
    n: int
    accuracy: float


def equal_width(confidence: ArrayLike, correct: ArrayLike, bins: int = 10, closed: bool = True) -> list[Bin]:
    """Return bins of equal width over [0, 1], for confidence that can take any value; empty bins included.

    A bin's `confidence` is the mean of its replies, NaN where n is 0. Args: shape (n,) each; `correct` may be a grade
    in [0, 1]; `closed` is as in `bin_index`. Raises ValueError for a confidence outside [0, 1], NaN included.
    """
    stated, right = np.asarray(confidence, dtype=float), np.asarray(correct, dtype=float)
    if not ((stated >= 0) & (stated <= 1)).all():
        raise ValueError("every confidence must lie in [0, 1]")
    index, found = bin_index(stated, bins, closed), []
    for i in range(bins):
        inside = index == i
        n = int(inside.sum())
        means = (float(stated[inside].mean()), float(right[inside].mean())) if n else (float("nan"), float("nan"))
        found.append(Bin(means[0], n, means[1]))
    return found


def bin_index(confidence: ArrayLike, bins: int = 10, closed: bool = True) -> NDArray[np.intp]:
    """Return the bin of each confidence in [0, 1], from 0; `bins` for one in none.

    A confidence of exactly 1 is in the last bin. `closed=False` is BLUFF's released code: there it is in none, and the
    edges are numpy's, so that 0.3, 0.6 and 0.7, which lie a rounding error below theirs, fall one bin lower.
    """
    stated = np.asarray(confidence, dtype=float)
    index: NDArray[np.intp] = np.minimum(np.floor(stated * bins).astype(np.intp), bins - 1)
    return index if closed else np.searchsorted(np.linspace(0, 1, bins + 1), stated, side="right") - 1
