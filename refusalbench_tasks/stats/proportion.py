"""Proportions: quotients of counts, and the interval of one."""

import math

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
MDE_Z = Z + 0.8416212335729143
"""Standard errors between 0 and the difference that a two-sided 5 % test finds with a
probability of 80 %.
"""


def ratios(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return quotients of arrays of one shape; NaN where a denominator is 0."""
    safe = np.where(denominators > 0, denominators, 1.0)
    return np.where(denominators > 0, numerators / safe, np.nan)


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of successes / n; (NaN, NaN) for n = 0.

    Source: Wilson (1927).
    """
    if n == 0:
        return math.nan, math.nan
    p = successes / n
    z2 = Z**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    variance = p * (1 - p) / n + z2 / (4 * n**2)
    half = Z * math.sqrt(variance) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)
