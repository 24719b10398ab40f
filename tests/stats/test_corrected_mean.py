"""A judge's mean corrected by what people read, worked by hand."""

import math

import numpy as np
import pytest

from refusalbench_tasks.stats.corrected_mean import Stratum, corrected_mean


def stratum(judged: list[int], read: list[int], of_read: list[int]) -> Stratum:
    """Return the stratum of what the judge found, and people and the judge of what
    people read.
    """
    gaps = np.array(read, dtype=float) - np.array(of_read, dtype=float)
    return Stratum(np.array(judged, dtype=float), gaps)


def test_the_corrected_mean_by_hand() -> None:
    found = corrected_mean(
        [stratum([1, 1, 1, 1, 0, 0], [0, 1], [1, 1]), stratum([0, 0], [0, 1], [0, 0])]
    )
    assert found.judged == pytest.approx(0.5)
    assert found.corrected == pytest.approx(6 / 8 * (4 / 6 - 0.5) + 2 / 8 * 0.5)
    # the second stratum was read whole
    half = 1.959964 * math.sqrt((6 / 8) ** 2 * (1 - 2 / 6) * 0.5 / 2)
    assert found.high - found.corrected == pytest.approx(half, rel=1e-5)
    assert (found.n, found.n_read) == (8, 4)


def test_a_stratum_that_nobody_read_leaves_the_mean_undefined() -> None:
    assert math.isnan(
        corrected_mean(
            [stratum([1, 1], [1, 1], [1, 1]), stratum([0, 0], [], [])]
        ).corrected
    )
    assert math.isnan(corrected_mean([stratum([1, 1, 1], [1], [1])]).low)
    assert math.isnan(corrected_mean([]).corrected)


def test_agreement_on_a_few_rows_is_no_certainty() -> None:
    # 4 of 10 rows were read and none differs: as if 1 of 6 did, so that the variance of
    # the gap is 5/36
    found = corrected_mean([stratum([1] * 5 + [0] * 5, [1, 1, 0, 0], [1, 1, 0, 0])])
    assert found.corrected == found.judged == 0.5
    half = 1.959964 * math.sqrt((1 - 4 / 10) * 5 / 36 / 4)
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half))
    # one of the four differs: 2 of 6 gives 2/9, and the gap's own variance of 1/4 is
    # larger
    other = corrected_mean([stratum([1] * 5 + [0] * 5, [0, 1, 0, 0], [1, 1, 0, 0])])
    assert other.corrected == pytest.approx(0.5 - 1 / 4)
    assert other.high - other.corrected == pytest.approx(
        1.959964 * math.sqrt((1 - 4 / 10) / 4 / 4)
    )


def test_what_was_read_whole_has_no_error() -> None:
    found = corrected_mean([stratum([1, 0], [1, 1], [1, 0]), stratum([], [], [])])
    assert (found.judged, found.corrected, found.low, found.high) == (
        0.5,
        1.0,
        1.0,
        1.0,
    )
    assert (found.n, found.n_read) == (2, 2)
    one = corrected_mean([stratum([0], [1], [0])])
    assert (one.low, one.high) == (1.0, 1.0)
