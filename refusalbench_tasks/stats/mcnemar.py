"""Paired yes/no outcomes of two systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class McNemar:
    """The rows on which only the first and only the second is true, n rows, and the
    exact two-sided p.
    """

    only_first: int
    only_second: int
    n: int
    p: float


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """Return the exact McNemar test of two arrays of 0/1, shape (n,): a sign test on
    the rows where they differ.

    p = 1 where no row differs. Rows are taken for independent; where several come from
    one question, read the clustered interval instead. Source: McNemar (1947), exact
    form.
    """
    # the whole of scipy.stats takes a second and a half to import
    from scipy.special import bdtr

    first_right = np.asarray(first, dtype=bool)
    second_right = np.asarray(second, dtype=bool)
    if first_right.shape != second_right.shape or first_right.ndim != 1:
        raise ValueError(
            f"expected two arrays of one length, got shapes {first_right.shape} and"
            f" {second_right.shape}"
        )
    b = int((first_right & ~second_right).sum())
    c = int((~first_right & second_right).sum())
    # a fair coin is symmetric: as far as the rarer side or farther, on both sides
    p = (
        min(
            1.0,
            2
            * float(
                bdtr(
                    min(b, c),
                    b + c,
                    0.5,
                )
            ),
        )
        if b + c
        else 1.0
    )
    return McNemar(
        b,
        c,
        len(first_right),
        p,
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for a family by Holm's step-down method, in the order
    given (Holm 1979).

    What is NaN stays so and is none of the family.
    """
    p = np.asarray(p_values, dtype=float)
    m = int((~np.isnan(p)).sum())
    order = np.argsort(p)[:m]
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(
        1, np.maximum.accumulate((m - np.arange(m)) * p[order])
    )
    return [float(value) for value in adjusted]
