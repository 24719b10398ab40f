"""Calibration, worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.calibration import brier_score, equal_width, expected_calibration_error, reliability

LEVELS = (0.95, 0.80, 0.60, 0.40, 0.15)


def test_ece_worked_by_hand() -> None:
    # .95: 2 of 2 right, .60: 1 of 2 right, .15: 0 of 1 right
    confidence, correct = [0.95, 0.95, 0.60, 0.60, 0.15], [1, 1, 1, 0, 0]
    bins = reliability(confidence, correct, LEVELS)
    assert [b.n for b in bins] == [2, 0, 2, 0, 1]
    assert math.isnan(bins[1].accuracy)
    assert expected_calibration_error(bins) == pytest.approx(2 / 5 * 0.05 + 2 / 5 * 0.10 + 1 / 5 * 0.15)


def test_brier_worked_by_hand() -> None:
    assert brier_score([0.95, 0.15], [1, 1]) == pytest.approx((0.05**2 + 0.85**2) / 2)


def test_without_rows_both_are_undefined() -> None:
    assert math.isnan(expected_calibration_error(reliability([], [], LEVELS)))
    assert math.isnan(brier_score([], []))


def test_a_confidence_that_is_no_level_is_an_error() -> None:
    with pytest.raises(ValueError, match="must be one of"):
        reliability([0.5], [1], LEVELS)
    with pytest.raises(ValueError, match="must be one of"):
        reliability([float("nan")], [1], LEVELS)
    with pytest.raises(ValueError, match="one length"):
        brier_score([0.5], [1, 0])


@given(st.lists(st.tuples(st.sampled_from(LEVELS), st.booleans()), min_size=1))
def test_ece_is_at_most_the_mean_distance_and_order_does_not_matter(rows: list[tuple[float, bool]]) -> None:
    confidence, correct = map(np.array, zip(*rows, strict=True))
    ece = expected_calibration_error(reliability(confidence, correct, LEVELS))
    assert 0 <= ece <= np.abs(confidence - correct).mean() + 1e-12
    assert ece == pytest.approx(expected_calibration_error(reliability(confidence[::-1], correct[::-1], LEVELS)))


def test_both_ends_of_the_range_are_in_and_nothing_beyond() -> None:
    assert [b.n for b in equal_width([0.0, 1.0], [0, 1], bins=2)] == [1, 1]
    for outside in (-0.01, 1.01, math.nan):
        with pytest.raises(ValueError, match=r"^every confidence must lie in \[0, 1\]$"):
            equal_width([0.5, outside], [1, 1])


def test_a_confidence_near_a_level_is_none_of_them() -> None:
    with pytest.raises(ValueError, match="every confidence must be one of"):
        reliability([0.95 + 5e-9], [1], LEVELS)
    assert reliability([0.1 + 0.2], [1], [0.3])[0].n == 1


def test_rows_outside_the_bins_weigh_in_the_total() -> None:
    bins = equal_width([0.5, 1.0], [1, 1], bins=2, closed=False)
    assert [b.n for b in bins] == [0, 1]
    assert expected_calibration_error(bins, 2) == pytest.approx(0.25)
    assert expected_calibration_error(bins) == pytest.approx(0.5)
    assert math.isnan(expected_calibration_error(bins, 0))
