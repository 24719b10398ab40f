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


def difference_interval(p1: float, n1: float, p2: float, n2: float) -> tuple[float, float]:
    """Return the 95 % interval of p2 - p1 from the Wilson intervals of both; NaN for an n of 0.

    Source: Newcombe (1998), method 10.
    """
    (low1, high1), (low2, high2) = wilson(p1 * n1, n1), wilson(p2 * n2, n2)
    difference = p2 - p1
    return (
        difference - math.hypot(p2 - low2, high1 - p1),
        difference + math.hypot(high2 - p2, p1 - low1),
    )
