"""Kappa, Wilson intervals and sample sizes, against worked values and libraries."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from refusalbench_tasks.stats.agreement import cohen_kappa
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.stats.sample_size import (
    fresh_samples,
    static_error,
    static_failure_bound,
    static_failure_floor,
    static_samples,
)


def test_kappa_by_hand() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: p_o = .7, p_e = .5 * .6 + .5 * .4 = .5
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(first, first) == pytest.approx(1.0)


@pytest.mark.parametrize(("first", "second"), [([1, 1, 1], [1, 1, 1]), ([1, 1, 1, 1], [1, 0, 1, 1]), ([], [])])
def test_kappa_is_undefined_where_a_rater_does_not_vary(first: list[int], second: list[int]) -> None:
    assert math.isnan(cohen_kappa(first, second))
    assert math.isnan(cohen_kappa(second, first))


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(1, 4)), max_size=30))
def test_a_weight_counts_an_item_as_often(items: list[tuple[bool, bool, int]]) -> None:
    weighed = cohen_kappa([a for a, _, _ in items], [b for _, b, _ in items], [w for *_, w in items])
    repeated = [(a, b) for a, b, w in items for _ in range(w)]
    assert weighed == pytest.approx(cohen_kappa([a for a, _ in repeated], [b for _, b in repeated]), nan_ok=True)


def test_kappa_needs_labels_from_both() -> None:
    with pytest.raises(ValueError, match="as many labels"):
        cohen_kappa([1], [])


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (10, 10), (55, 180)])
def test_wilson_agrees_with_scipy(k: int, n: int) -> None:
    interval = binomtest(k, n).proportion_ci(method="wilson")
    assert wilson(k, n) == pytest.approx((interval.low, interval.high))


def test_wilson_without_items_is_undefined() -> None:
    assert all(map(math.isnan, wilson(0, 0)))


def test_sample_sizes_by_hand() -> None:
    assert fresh_samples(0.05, 0.05, 10) == math.ceil(200 * math.log(400))  # 1199
    assert fresh_samples(0.05, 0.05, 10) == 1199
    assert static_samples(0.05, 0.05) == math.ceil(800 * math.log(40))  # 2952
    with pytest.raises(ValueError, match="0 < epsilon < 1"):
        fresh_samples(0, 0.05, 1)


def test_the_bound_of_a_fresh_set_is_met_and_one_item_less_breaks_it() -> None:
    m = fresh_samples(0.1, 0.05, 4)
    assert 4 * 2 * math.exp(-2 * m * 0.01) <= 0.05 < 4 * 2 * math.exp(-2 * (m - 1) * 0.01)


def test_drift_beyond_epsilon_leaves_a_static_set_without_a_promise() -> None:
    assert static_failure_bound(0.05, 1000, 0.05) == 1.0
    assert static_failure_bound(0.05, 1000, 0.0) == pytest.approx(2 * math.exp(-5))
    assert static_failure_floor(0.05, 1000, 0.1) == pytest.approx(1 - 2 * math.exp(-5))
    assert static_failure_floor(0.05, 1000, 0.05) == 0.0
    assert static_error(0.05, 1000, 0.1) == pytest.approx(0.1 + math.sqrt(math.log(40) / 2000))
