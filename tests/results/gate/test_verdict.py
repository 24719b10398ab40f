"""Intervals and limits, worked by hand."""

import math

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from refusalbench_tasks.results.gate.verdict import (
    Needed,
    Side,
    Verdict,
    limit_verdict,
    needed,
)
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.proportion import wilson

NAN = math.nan


def estimate(
    value: float, low: float, high: float, n: float = 100, units: int = 50
) -> Estimate:
    return Estimate(value, n, low=low, high=high, units=units)


@pytest.mark.parametrize(
    "side, low, high, expected",
    [
        ("max", 0.02, 0.08, "pass"),
        ("max", 0.12, 0.30, "fail"),
        ("max", 0.05, 0.15, "undecided"),
        ("max", 0.02, 0.10, "pass"),  # the limit itself is allowed
        ("max", 0.10, 0.20, "undecided"),  # and may still be the value
        ("min", 0.12, 0.30, "pass"),
        ("min", 0.02, 0.08, "fail"),
        ("min", 0.10, 0.20, "pass"),
        ("min", 0.02, 0.10, "undecided"),
        ("max", 0.02, 0.1 + 1e-16, "pass"),
        ("max", 0.1 + 1e-16, 0.2, "undecided"),
        ("max", NAN, NAN, "undecided"),
    ],
)
def test_the_interval_decides(
    side: Side, low: float, high: float, expected: Verdict
) -> None:
    assert limit_verdict(estimate((low + high) / 2, low, high), 0.10, side) == expected


def test_the_rows_that_would_decide_follow_from_the_arm_towards_the_limit() -> None:
    # value 0.06 below a limit of 0.10: the arm of 0.08 must become 0.04, which takes
    # 2^2 times as many
    assert needed(estimate(0.06, 0.02, 0.14), 0.10, "max") == Needed(400, 200)
    # value 0.16 above it: the other arm, 0.09, must become 0.06, 1.5^2 times; 225 of
    # 100, 112.5 of 50
    assert needed(estimate(0.16, 0.07, 0.40), 0.10, "max") == Needed(225, 113)
    # a CI that ends at the limit: more than there are
    assert needed(estimate(0.16, 0.10, 0.40), 0.10, "max") == Needed(101, 51)
    # the same turned over
    assert needed(estimate(0.94, 0.86, 0.98), 0.90, "min") == Needed(400, 200)


def test_where_nothing_was_wrong_yet_the_rows_follow_from_wilsons_interval() -> None:
    # 0 of 16 questions: up to 3.8415 / 19.8415 = 0.194; for 0.1 it takes 3.8415 x 0.9 /
    # 0.1 = 34.57 questions
    low, high = wilson(0, 16)
    found = needed(estimate(0.0, low, high, 32, 16), 0.1, "max", certain=True)
    assert found == Needed(70, 35)
    assert wilson(0, 34)[1] > 0.1 > wilson(0, 35)[1]


def test_no_number_of_rows_is_told_where_none_is_known() -> None:
    assert needed(estimate(0.10, 0.05, 0.15), 0.10, "max") is None
    assert needed(estimate(0.05, NAN, NAN, 1, 1), 0.10, "max") is None
    assert needed(estimate(NAN, NAN, NAN, 0, 0), 0.10, "max") is None
    assert needed(estimate(0.05, 0.01, 0.08), 0.10, "max") is None
    assert needed(estimate(0.3, 0.2, 0.4), 0.1 + 0.2, "max") is None


numbers = st.floats(-2, 2, allow_nan=False)


@given(st.tuples(numbers, numbers, numbers), numbers, st.sampled_from(["max", "min"]))
@example((-1.0, 0.0, 0.0), -0.00390625, "max")
def test_the_rows_that_are_told_decide(
    parts: tuple[float, float, float], limit: float, side: Side
) -> None:
    low, value, high = sorted(parts)
    assume(abs(value - limit) > 1e-3)
    found = needed(estimate(value, low, high), limit, side)
    assert (found is not None) == (
        limit_verdict(estimate(value, low, high), limit, side) == "undecided"
    )
    if found is not None:
        assert found.rows >= 100
        # a little more, since what is nearer to the limit than 1e-9 is taken for the
        # limit
        shrunk = math.sqrt(100 / (found.rows * (1 + 1e-5) + 1))
        after = estimate(
            value, value - (value - low) * shrunk, value + (high - value) * shrunk
        )
        assert limit_verdict(after, limit, side) != "undecided"
