"""Clustered uncertainty, against closed forms and simulation."""

import numpy as np
import pytest

from refusalbench_tasks.stats.cluster import (
    Floats,
    bootstrap,
    bootstrap_of_weights,
    cluster_sums,
    jackknife_stderr,
    wilson_at_bounds,
)
from refusalbench_tasks.stats.proportion import wilson


def ratio(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[..., :1] / sums[..., 1:2]


def rows_of(values: Floats) -> Floats:
    return np.stack([values, np.ones_like(values)], axis=1)


def test_cluster_sums_add_up_and_ignore_the_order_of_rows() -> None:
    rows = np.arange(8.0).reshape(4, 2)
    sums = cluster_sums(rows, ["b", "a", "b", "c"])
    np.testing.assert_array_equal(sums, [[2, 3], [4, 6], [6, 7]])
    np.testing.assert_array_equal(sums, cluster_sums(rows[::-1], ["c", "b", "a", "b"]))


def test_copies_of_a_row_in_its_cluster_add_no_information() -> None:
    values = np.random.default_rng(2).random(25)
    names = [f"{i:02d}" for i in range(25)]
    once = jackknife_stderr(cluster_sums(rows_of(values), names), ratio)
    fourfold = jackknife_stderr(
        cluster_sums(rows_of(np.tile(values, 4)), names * 4), ratio
    )
    assert fourfold[0] == pytest.approx(once[0])


def test_undefined_resamples_are_left_out_not_counted_as_zero() -> None:
    # two clusters without a denominator
    sums = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    interval = bootstrap(sums, ratio, 500)
    assert interval.low[0] == 1.0
    assert interval.high[0] == 1.0


@pytest.mark.slow
def test_the_interval_covers_the_truth_in_95_of_100_with_dependent_rows() -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(400):
        centre = rng.random(100)
        rows = (rng.random((100, 16)) < centre[:, None]).astype(float)
        sums = np.stack([rows.sum(axis=1), np.full(100, 16.0)], axis=1)
        interval = bootstrap(sums, ratio, 500)
        covered += bool(interval.low[0] <= 0.5 <= interval.high[0])
    assert 0.92 <= covered / 400 <= 0.98


def test_all_right_is_no_certainty() -> None:
    names = [f"{i // 2:02d}" for i in range(40)]
    sums = cluster_sums(rows_of(np.ones(40)), names)
    certain = bootstrap(sums, ratio)
    assert certain.low[0] == 1.0
    found = wilson_at_bounds(certain, sums, ratio)
    assert (found.low[0], found.high[0]) == wilson(20, 20)
    zeros = cluster_sums(rows_of(np.zeros(40)), names)
    none = wilson_at_bounds(bootstrap(zeros, ratio), zeros, ratio)
    assert (none.low[0], none.high[0]) == wilson(0, 20)


def test_two_clusters_by_hand() -> None:
    # without the first 0/1, without the second 1/1: their mean is 1/2, and sqrt(1/2 *
    # (1/4 + 1/4)) = 1/2
    sums = np.array([[1.0, 1.0], [0.0, 1.0]])
    assert jackknife_stderr(sums, ratio).tolist() == [0.5]
    found = wilson_at_bounds(bootstrap(sums, ratio, 400), sums, ratio)
    assert (found.low[0], found.high[0]) == (0.0, 1.0)
    ones = np.ones((2, 2))
    right = wilson_at_bounds(bootstrap(ones, ratio), ones, ratio)
    assert (right.low[0], right.high[0]) == wilson(2, 2)


def test_weights_themselves_are_resampled_as_their_sums_are() -> None:
    # the share of draws that are of the first half of 40 clusters, as a function of
    # weights and of sums
    half = np.arange(40) < 20
    of_weights = bootstrap_of_weights(
        40, lambda weights: (weights @ half / 40)[..., None]
    )
    of_sums = bootstrap(
        np.column_stack([half, np.ones(40)]), lambda sums: sums[..., :1] / sums[..., 1:]
    )
    for end in ("low", "high", "stderr"):
        assert getattr(of_weights, end).tolist() == getattr(of_sums, end).tolist()
    assert np.isnan(bootstrap_of_weights(1, lambda weights: weights).low).all()
