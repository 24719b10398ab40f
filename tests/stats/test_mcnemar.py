"""McNemar's exact test and Holm's adjustment, against worked values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from refusalbench_tasks.stats.mcnemar import holm, mcnemar


def test_it_is_a_sign_test_on_the_rows_that_differ() -> None:
    assert mcnemar(8, 2) == mcnemar(2, 8) == pytest.approx(2 * binom.cdf(2, 10, 0.5))
    assert mcnemar(3, 3) == mcnemar(0, 0) == 1.0


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_adjusted_values_keep_the_order_and_never_shrink(p: list[float]) -> None:
    adjusted = holm(p)
    assert all(a >= b for a, b in zip(adjusted, p, strict=True))
    assert [a for _, a in sorted(zip(p, adjusted, strict=True))] == sorted(adjusted)
