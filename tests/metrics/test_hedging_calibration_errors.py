"""How sure ECE, Brier and the correlations of bluff are."""

import math
from typing import get_args

import numpy as np
import pytest

from refusalbench_tasks.metrics.hedging_calibration import calibration_uncertainty, calibration_values
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.uncertainty import ENDINGS

NAMES = ("ece", "brier", "confidence_accuracy_correlation", "source_awareness")


def row(k: int, protocol: Protocol = "paper", **numbers: float) -> HedgingRow:
    known = {"refused": 0.0, "hedges": 0.0, "boosters": 0.0, "words": 10.0, "unscored": 0.0, "hedge_strength": 0.0}
    known |= dict.fromkeys(("faithfulness", "overlap", "attribution", "hallucination", "grounding"), math.nan)
    return HedgingRow(
        question=f"q{k:03d}", arm="clear", numbers=known | numbers, protocol=protocol, quality=(k % 7) / 7
    )


def some(n: int, protocol: Protocol = "paper") -> HedgingRows:
    rng = np.random.default_rng(0)
    confidence = rng.random(n)
    right = rng.random(n) < confidence**2
    return HedgingRows(
        row(k, protocol, confidence=float(c), correctness=float(r), boosters=float(k % 3))
        for k, (c, r) in enumerate(zip(confidence, right, strict=True))
    )


@pytest.mark.parametrize("protocol", get_args(Protocol))
def test_the_jackknife_is_that_of_the_metrics_themselves(protocol: Protocol) -> None:
    rows = some(30, protocol)
    found = calibration_uncertainty(rows, 50)
    assert set(found) == {f"{name}_{ending}" for name in NAMES for ending in ENDINGS}
    left = [HedgingRows(r for j, r in enumerate(rows) if j != k) for k in range(30)]
    for name in NAMES:
        without = np.array([(main_values(one) | calibration_values(one))[name] for one in left])
        by_hand = math.sqrt(29 / 30 * ((without - without.mean()) ** 2).sum())
        assert found[f"{name}_stderr"] == pytest.approx(by_hand), name


def test_intervals_hold_the_values_of_many_questions_and_rows_of_one_question_are_one() -> None:
    rows = some(300)
    found, values = calibration_uncertainty(rows), main_values(rows) | calibration_values(rows)
    for name in NAMES:
        assert found[f"{name}_ci_low"] < values[name] < found[f"{name}_ci_high"], name
        assert found[f"{name}_bootstrap_stderr"] == pytest.approx(found[f"{name}_stderr"], rel=0.2), name
    twice = calibration_uncertainty(HedgingRows([*rows, *rows]))
    assert twice["brier_stderr"] == pytest.approx(found["brier_stderr"])


def test_the_error_of_brier_is_that_of_a_mean() -> None:
    # squares 0.01, 0.09, 0.25: s / sqrt(3)
    rows = HedgingRows(row(k, confidence=1 - gap, correctness=1.0) for k, gap in enumerate((0.1, 0.3, 0.5)))
    found = calibration_uncertainty(rows)
    assert found["brier_stderr"] == pytest.approx(np.std([0.01, 0.09, 0.25], ddof=1) / math.sqrt(3))
    # all are right: no correlation, and no error of one
    assert math.isnan(found["confidence_accuracy_correlation_stderr"])


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_questions_are_no_evidence(n: int) -> None:
    assert all(map(math.isnan, calibration_uncertainty(some(n)).values()))


def test_lexical_overconfidence_is_resampled_over_wrong_answers() -> None:
    shares = [0.1, 0.2, 0.4]
    rows = [row(k, confidence=0.5, correctness=0.0, boosters=10 * share) for k, share in enumerate(shares)]
    rows.append(row(9, confidence=0.5, correctness=1.0, boosters=9.0))
    found, values = effects(HedgingRows(rows), 500, 0), main_values(HedgingRows(rows))
    assert values["lexical_overconfidence"] == pytest.approx(0.7 / 3)
    # without one of the wrong answers 0.3, 0.25, 0.15; without the right one nothing changes
    without = np.array([0.3, 0.25, 0.15, 0.7 / 3])
    by_hand = math.sqrt(3 / 4 * ((without - without.mean()) ** 2).sum())
    assert found["lexical_overconfidence_stderr"] == pytest.approx(by_hand)
    assert found["lexical_overconfidence_ci_low"] < 0.7 / 3 < found["lexical_overconfidence_ci_high"]
