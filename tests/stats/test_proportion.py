"""Quotients of counts, and the Wilson interval, against a library."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from refusalbench_tasks.stats.proportion import ratios, wilson


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (10, 10), (55, 180)])
def test_wilson_agrees_with_scipy(k: int, n: int) -> None:
    interval = binomtest(k, n).proportion_ci(method="wilson")
    assert wilson(k, n) == pytest.approx((interval.low, interval.high))


def test_a_quotient_over_nothing_is_unknown() -> None:
    assert all(map(math.isnan, wilson(0, 0)))
    quotients = ratios(np.array([1.0, 0.0]), np.array([4.0, 0.0]))
    assert quotients[0] == 0.25
    assert math.isnan(quotients[1])
