"""Standard errors and intervals by name, worked by hand."""

import math

import numpy as np
import pytest

from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.uncertainty import ratios_of, uncertainty


def test_ratios_of_sums() -> None:
    # two numerators, then their denominators
    assert ratios_of(np.array([2.0, 1.0, 4.0, 3.0])) == pytest.approx([2 / 4, 1 / 3])
    assert math.isnan(ratios_of(np.array([0.0, 0.0]))[0])


def test_both_standard_errors_of_a_mean_are_the_textbook_one() -> None:
    values = np.arange(200) % 5 / 4
    sums = np.column_stack([values, np.ones(200)])

    def mean(totals: Floats) -> Floats:
        result: Floats = totals[..., :1] / totals[..., 1:]
        return result

    found = uncertainty(["mean"], sums, mean)
    textbook = values.std(ddof=1) / math.sqrt(200)
    assert found["mean_stderr"] == pytest.approx(textbook)
    assert found["mean_bootstrap_stderr"] == pytest.approx(textbook, rel=0.1)
    assert found["mean_ci_low"] == pytest.approx(0.5 - 1.96 * textbook, abs=0.01)
    assert found["mean_ci_high"] == pytest.approx(0.5 + 1.96 * textbook, abs=0.01)


def test_only_shares_have_a_wilson_interval_at_their_bounds() -> None:
    ones = np.ones((24, 4))
    bounded = uncertainty(["a", "b"], ones, ratios_of, unbounded=["b"])
    assert bounded["a_ci_low"] == pytest.approx(24 / (24 + 1.959964**2))
    assert (bounded["b_ci_low"], bounded["b_ci_high"]) == (1, 1)


def test_one_cluster_tells_nothing() -> None:
    assert all(map(math.isnan, uncertainty(["a"], np.ones((1, 2)), ratios_of).values()))
