"""Tests of paired yes/no outcomes of two systems."""

from collections.abc import Sequence

import numpy as np


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test, from the rows on which only the
    first outcome is true and those on which only the second is: a sign test.

    1 where no row differs. Rows are taken for independent; where several come from one
    question, read the clustered interval instead. Source: McNemar (1947), exact form.
    """
    # the whole of scipy.stats takes a second and a half to import
    from scipy.special import bdtr

    # a fair coin is symmetric: as far as the rarer side or farther, on both sides
    tail = bdtr(
        min(only_first, only_second),
        only_first + only_second,
        0.5,
    )
    return min(1.0, 2 * float(tail))


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
