"""The swap test: against exact enumeration, its symmetry, and its null."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.stats.paired import swap_test

FLOATS = st.lists(st.floats(-1, 1), min_size=2, max_size=20)


def exact(values: list[float], swapped: list[float]) -> float:
    pairs = list(zip(values, swapped, strict=True))
    centre = sum(a + b for a, b in pairs) / 2 / len(pairs)
    observed = abs(sum(values) / len(values) - centre)
    draws = [abs(sum(pick) / len(pairs) - centre) for pick in itertools.product(*pairs)]
    return sum(d >= observed - 1e-12 for d in draws) / len(draws)


def test_it_agrees_with_exact_enumeration() -> None:
    values = [0.5, 0.1, -0.2, 0.4, 0.3, 0.05, 0.25, -0.1]
    p = swap_test(values, [-v for v in values], resamples=20_000)
    assert p == pytest.approx(exact(values, [-v for v in values]), abs=0.01)


def test_a_statistic_that_punishes_one_direction_has_its_own_null() -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(size=400)
    punished = np.where(d < 0, 2 * d, d)
    assert punished.mean() < -0.2
    assert swap_test(punished, np.where(-d < 0, -2 * d, -d)) > 0.05


def test_a_clear_effect_is_found() -> None:
    assert swap_test([0.3] * 20, [-0.3] * 20) == pytest.approx(1 / 1001, abs=1e-9)


def test_pairs_of_one_cluster_are_swapped_together() -> None:
    rng = np.random.default_rng(0)
    low = 0
    names = [str(k // 10) for k in range(100)]
    for _ in range(100):
        effect = np.repeat(rng.normal(size=10), 10)
        low += swap_test(effect, -effect, 200, names) < 0.05
    assert low < 15
    assert math.isnan(swap_test([0.1, 0.2], [-0.1, -0.2], clusters=["a", "a"]))


@given(FLOATS)
def test_exchanging_the_labels_changes_nothing_but_the_sign(
    values: list[float],
) -> None:
    other = [-v for v in values]
    assert swap_test(values, other) == pytest.approx(swap_test(other, values))
    assert 0 < swap_test(values, other) <= 1


def test_one_cluster_or_none_cannot_be_tested() -> None:
    assert math.isnan(swap_test([], []))
    assert math.isnan(swap_test([3], [1]))


def test_equal_values_have_an_equal_p() -> None:
    values = np.random.default_rng(8).normal(size=12)
    assert swap_test(values, -values, 200) == swap_test(values, -values, 200)
