"""Shares that a judge finds, corrected by people's reading of some replies."""

import math

import pytest

from refusalbench_tasks.stats.calibrated import Calibration


def test_a_worked_example() -> None:
    # 90 % of positives found, 80 % of negatives cleared: .5 as judged is (.5 - .2) / .7
    found = Calibration(100, 90, 100, 80).share(50, 100)
    assert (found.judged, found.n) == (0.5, 100)
    assert found.corrected == pytest.approx(3 / 7)
    assert found.low < 3 / 7 < found.high


@pytest.mark.parametrize(
    ("positive", "n", "known"),
    [
        (0, 0, Calibration(9, 9, 9, 9)),
        (5, 9, Calibration(0, 0, 9, 9)),
        (5, 9, Calibration(10, 4, 10, 5)),
    ],
)
def test_what_cannot_be_corrected_is_unknown(
    positive: int, n: int, known: Calibration
) -> None:
    assert math.isnan(known.share(positive, n).corrected)
