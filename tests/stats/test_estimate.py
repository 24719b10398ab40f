"""Values with their n, standard errors and confidence intervals, worked by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.estimate import estimates, ratio_estimates


def test_both_standard_errors_of_a_mean_are_the_textbook_one() -> None:
    values = np.arange(200) % 5 / 4
    found = ratio_estimates(["mean"], np.column_stack([values, np.ones(200)]))["mean"]
    textbook = values.std(ddof=1) / math.sqrt(200)
    assert (found.value, found.n) == (0.5, 200)
    assert found.stderr == pytest.approx(textbook)
    assert found.bootstrap_stderr == pytest.approx(textbook, rel=0.1)
    assert (found.low, found.high) == pytest.approx(
        (0.5 - 1.96 * textbook, 0.5 + 1.96 * textbook), abs=0.01
    )


def test_clusters_without_a_row_of_the_statistic_add_no_standard_error() -> None:
    values = np.random.default_rng(1).random(30)
    rows = np.column_stack([values, np.ones(30)])
    others = np.zeros((20, 2))
    alone = ratio_estimates(["mean"], rows, resamples=0)["mean"]
    beside = ratio_estimates(["mean"], np.concatenate([rows, others]), resamples=0)[
        "mean"
    ]
    assert [alone.stderr, beside.stderr] == pytest.approx([stats.sem(values)] * 2)


def test_only_shares_have_a_wilson_interval_at_their_bounds() -> None:
    def twice(totals: Floats) -> Floats:
        return np.stack([totals[..., 0] / totals[..., 1]] * 2, axis=-1)

    def sizes(totals: Floats) -> Floats:
        return np.stack([totals[..., 1]] * 2, axis=-1)

    found = estimates(["a", "b"], np.ones((24, 2)), twice, sizes, unbounded=["b"])
    assert found["a"].low == pytest.approx(24 / (24 + 1.959964**2))
    assert (found["b"].low, found["b"].high) == (1, 1)


def test_one_cluster_and_none_tell_nothing_of_uncertainty() -> None:
    for sums in (np.ones((1, 2)), np.zeros((0, 2))):
        found = ratio_estimates(["a"], sums)["a"]
        assert found.n == len(sums)
        assert all(
            map(
                math.isnan,
                (found.stderr, found.low, found.high, found.bootstrap_stderr),
            )
        )
