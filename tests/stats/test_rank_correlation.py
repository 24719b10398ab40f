"""Rank correlations, worked by hand and held against scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from refusalbench_tasks.stats.rank_correlation import kendall_tau, order_p, spearman_rho


def test_one_swap_among_four() -> None:
    first, second = [0.1, 0.2, 0.3, 0.4], [0.5, 0.7, 0.6, 0.9]
    # of six pairs five are in the same order and one in the reverse: (5 - 1) / 6
    assert kendall_tau(first, second) == pytest.approx(4 / 6)
    # ranks 1 2 3 4 and 1 3 2 4: 1 - 6 (0 + 1 + 1 + 0) / (4 x 15)
    assert spearman_rho(first, second) == pytest.approx(0.8)
    # of the 24 orders, one has no pair reversed and three have one; as many lie at the other end: 8 / 24
    assert order_p(first, second) == pytest.approx(8 / 24)


def test_ties_count_for_neither_order() -> None:
    # pairs: (0, 1) tied in the first; (0, 2), (1, 2) alike: 2 / sqrt(2 x 3)
    assert kendall_tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / math.sqrt(6))
    # ranks 1.5 1.5 3 and 1 2 3: deviations -.5 -.5 1 and -1 0 1 give 1.5 / sqrt(1.5 x 2)
    assert spearman_rho([1, 1, 2], [1, 2, 3]) == pytest.approx(1.5 / math.sqrt(3))


def test_a_constant_series_has_no_order() -> None:
    assert math.isnan(kendall_tau([1, 1, 1], [1, 2, 3]))
    assert math.isnan(spearman_rho([1, 2, 3], [5, 5, 5]))
    assert math.isnan(order_p([1, 1, 1], [1, 2, 3]))


def test_series_of_two_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="of one shape"):
        kendall_tau([1, 2], [1, 2, 3])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=12))
def test_both_are_scipys(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs, dtype=float).T
    if len(set(first)) > 1 and len(set(second)) > 1:
        assert kendall_tau(first, second) == pytest.approx(kendalltau(first, second).statistic)
        assert spearman_rho(first, second) == pytest.approx(spearmanr(first, second).statistic)
    assert np.allclose(
        kendall_tau([first, first], [second, -second]) * [1, -1], kendall_tau(first, second), equal_nan=True
    )
