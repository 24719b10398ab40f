"""The difference of two independent estimates."""

import math

from .proportion import wilson

Estimate = tuple[float, float, float]
"""A value with the low and the high bound of its interval."""


def difference_interval(first: Estimate, second: Estimate) -> tuple[float, float]:
    """Return the interval of first - second, at the level of theirs: the MOVER.

    With d = first - second: d - sqrt((first - its low)^2 + (second's high -
    second)^2), and d + sqrt of the other two squares. It has some width wherever the
    given intervals have. NaN where a number is. Source: Newcombe (1998), method 10; Zou
    and Donner (2008) for any estimates.
    """
    (value, low, high), (value2, low2, high2) = first, second
    difference = value - value2
    # a percentile interval may leave its own value out, by which the distance would
    # have the wrong sign
    below = math.hypot(_at_least_0(value - low), _at_least_0(high2 - value2))
    above = math.hypot(_at_least_0(high - value), _at_least_0(value2 - low2))
    return difference - below, difference + above


def shares_interval(
    p1: float,
    n1: float,
    p2: float,
    n2: float,
) -> tuple[float, float]:
    """Return the 95 % interval of p2 - p1 from the Wilson intervals of both; NaN for an
    n of 0.

    Source: Newcombe (1998), method 10.
    """
    first = (p1, *wilson(p1 * n1, n1))
    second = (p2, *wilson(p2 * n2, n2))
    return difference_interval(second, first)


def _at_least_0(distance: float) -> float:
    return distance if math.isnan(distance) else max(0.0, distance)
