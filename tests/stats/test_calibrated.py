"""Shares that a judge finds, corrected by people's reading of some replies."""

import math

import numpy as np
import pytest

from refusalbench_tasks.stats.calibrated import Calibration, calibrated_share


def test_a_worked_example() -> None:
    # 90 % of positives found, 80 % of negatives cleared: .5 as judged is (.5 - .2) / .7
    found = calibrated_share(50, 100, Calibration(100, 90, 100, 80))
    assert (found.judged, found.n) == (0.5, 100)
    assert found.corrected == pytest.approx(3 / 7)
    assert found.low < 3 / 7 < found.high


@pytest.mark.parametrize(
    ("positive", "n", "known"),
    [(0, 0, Calibration(9, 9, 9, 9)), (5, 9, Calibration(0, 0, 9, 9)), (5, 9, Calibration(10, 4, 10, 5))],
)
def test_what_cannot_be_corrected_is_unknown(positive: int, n: int, known: Calibration) -> None:
    assert math.isnan(calibrated_share(positive, n, known).corrected)


@pytest.mark.parametrize(("share", "q1", "q0"), [(0.1, 0.95, 0.9), (0.5, 0.8, 0.85), (0.9, 0.7, 0.95)])
def test_the_interval_covers_the_truth_about_as_often_as_it_says(share: float, q1: float, q0: float) -> None:
    rng, covered, runs = np.random.default_rng(4), 0, 800
    for _ in range(runs):
        m1, m0 = 60, 80
        known = Calibration(m1, int(rng.binomial(m1, q1)), m0, int(rng.binomial(m0, q0)))
        found = calibrated_share(int(rng.binomial(300, share * q1 + (1 - share) * (1 - q0))), 300, known)
        covered += found.low <= share <= found.high
    assert 0.93 <= covered / runs <= 1
