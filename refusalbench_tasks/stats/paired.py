"""Tests of paired values whose two labels may be swapped under the null hypothesis."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class SwapTest:
    """Two-sided p-value, the mean that was observed, and the mean expected if the
    labels mean nothing; n pairs.
    """

    p: float
    observed: float
    expected: float
    n: int


def swap_test(
    values: ArrayLike,
    swapped: ArrayLike,
    resamples: int = 1000,
    seed: int = 0,
    clusters: Sequence[str] | NDArray[np.intp] | None = None,
) -> SwapTest:
    """Return the permutation test of the mean of n paired values against swapping the
    labels of each pair.

    `values` holds a statistic of each pair, `swapped` the same statistic with its
    labels exchanged; shape (n,). For a difference that is its negative (the sign-flip
    test); a statistic that punishes one direction has a null mean other than 0, and the
    p-value is two-sided around that mean. p = (1 + draws at least as far) / (1 +
    draws), so it is never 0. Pairs of one cluster (names, or their places) are swapped
    together. NaN for fewer than two clusters. Equal seeds give equal values. Source:
    Good, Permutation Tests (2005), ch. 3.
    """
    given = np.asarray(values, dtype=float)
    exchanged = np.asarray(swapped, dtype=float)
    if given.shape != exchanged.shape or given.ndim != 1:
        raise ValueError(
            f"expected two arrays of one length, got shapes {given.shape} and"
            f" {exchanged.shape}"
        )
    n = len(given)
    if n == 0:
        return SwapTest(
            float("nan"),
            float("nan"),
            float("nan"),
            0,
        )
    observed = float(given.mean())
    centre = float((given + exchanged).mean() / 2)
    index = np.unique(
        np.arange(n).astype(str) if clusters is None else clusters, return_inverse=True
    )[1]
    gaps = np.bincount(index, weights=(given - exchanged) / (2 * n))
    if len(gaps) < 2:
        return SwapTest(
            float("nan"),
            observed,
            centre,
            n,
        )
    # row by row: as numbers for one product, the signs of very many pairs would not fit
    # into memory
    draws = (
        np.array(
            [
                2 * gaps[kept].sum()
                for kept in _kept(
                    len(gaps),
                    resamples,
                    seed,
                )
            ]
        )
        - gaps.sum()
    )
    far = np.abs(draws) >= abs(observed - centre) - 1e-12
    return SwapTest(
        float((1 + far.sum()) / (1 + resamples)),
        observed,
        centre,
        n,
    )


@lru_cache(maxsize=2)
def _kept(
    n: int,
    resamples: int,
    seed: int,
) -> NDArray[np.bool_]:
    """Return which clusters keep their labels, shape (resamples, n); held for further
    statistics of the same pairs.
    """
    bits = (
        np.frombuffer(np.random.default_rng(seed).bytes(resamples * n), dtype=np.uint8)
        & 1
    )
    return bits.reshape(-1, n).astype(bool)
