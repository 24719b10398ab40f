"""Intervals of a proportion."""

import math

_Z = 1.959963984540054


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of successes / n; (NaN, NaN) for n = 0. Source: Wilson (1927)."""
    if n == 0:
        return float("nan"), float("nan")
    p, z2 = successes / n, _Z**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n**2)) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)
