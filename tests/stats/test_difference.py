"""The interval of a difference of two independent estimates."""

import math

import pytest

from refusalbench_tasks.stats.difference import difference_interval, shares_interval


def test_the_distances_to_the_bounds_add_as_squares() -> None:
    # 0.75 - 0.5 = 0.25; below sqrt(0.03^2 + 0.04^2) = 0.05, above sqrt(0.05^2 + 0.12^2)
    # = 0.13
    assert difference_interval((0.75, 0.72, 0.80), (0.50, 0.38, 0.54)) == pytest.approx(
        (0.20, 0.38)
    )


def test_a_value_outside_its_own_interval_adds_no_width_on_that_side() -> None:
    assert difference_interval((0.5, 0.6, 0.7), (0.2, 0.2, 0.2)) == pytest.approx(
        (0.3, 0.5)
    )


def test_shares_have_the_interval_that_newcombe_prints() -> None:
    # Newcombe (1998), table II (a): 56/70 - 48/80, method 10: 0.0524 to 0.3339
    assert shares_interval(48 / 80, 80, 56 / 70, 70) == pytest.approx(
        (0.0524, 0.3339), abs=5e-5
    )
    assert all(map(math.isnan, shares_interval(0.5, 10, math.nan, 0)))
    # 0 of 4 and 4 of 4: Wilson's bounds are z^2 / (n + z^2) and n / (n + z^2)
    reach = math.hypot(3.841459 / 7.841459, 3.841459 / 7.841459)
    assert shares_interval(0, 4, 1, 4) == pytest.approx((1 - reach, 1), abs=1e-6)
