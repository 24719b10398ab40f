"""Calibration of stated confidence, worked by hand, by the reply and by the row."""

import math

import numpy as np
import pytest
from inspect_ai.log import EvalSample
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.metrics.refusal_calibration import (
    NAMES,
    calibration,
    calibration_cells,
    calibration_statistics,
    stated_confidence,
    with_confidence,
)
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.metrics.score_reading import refusal_rows
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import row

LOW, HIGH = Intensity.LOW, Intensity.HIGH
A, M, C = Label.ANSWER, Label.MISSING, Label.CONTRADICTORY


def scores(samples: list[EvalSample]) -> RefusalRows:
    return refusal_rows(
        [
            SampleScore(score=next(iter((one.scores or {}).values())), sample_id=one.id, sample_metadata=one.metadata)
            for one in samples
        ]
    )


SAMPLES = [
    row("1", A, intensity=LOW, level="VERY_CONFIDENT"),  # an answer to an answerable row, right
    row("2", A, intensity=LOW, level="VERY_CONFIDENT", correct=False),
    row("3", M, intensity=LOW, level="VERY_CONFIDENT"),  # a refusal of an answerable row, wrong
    row("4", M, intensity=HIGH, level="CONFIDENT"),  # the row's own code
    row("5", C, intensity=HIGH, level="CONFIDENT"),
    row("6", A, intensity=HIGH, level="UNCERTAIN"),  # an answer to an unanswerable row, wrong
    row("7", None, intensity=HIGH, level="UNCERTAIN"),  # undecided: in nothing
]


def test_answers_and_refusals_are_replies_and_answerable_ones_are_rows() -> None:
    m = calibration(scores(SAMPLES))
    # all: at .95 1 of 3 is right, at .80 1 of 2, at .40 0 of 1
    assert m["ece"] == pytest.approx((abs(1 - 2.85) + abs(1 - 1.6) + 0.4) / 6)
    # replies that answer: 1, 2 and 6; that refuse: 3, 4 and 5
    assert m["ece_answers"] == pytest.approx((abs(1 - 1.9) + 0.4) / 3)
    assert m["ece_refusals"] == pytest.approx((0.95 + abs(1 - 1.6)) / 3)
    # rows to be answered: 1, 2 and 3; to be refused: 4, 5 and 6
    assert m["ece_answerable"] == pytest.approx(abs(1 - 2.85) / 3)
    assert m["ece_unanswerable"] == pytest.approx((abs(1 - 1.6) + 0.4) / 3)
    assert m["brier"] == pytest.approx((0.05**2 + 2 * 0.95**2 + 0.2**2 + 0.8**2 + 0.4**2) / 6)
    assert [m[f"{name}_n"] for name in ("ece", "ece_answers", "ece_refusals", "brier")] == [6, 3, 3, 6]
    assert (m["confidence_n"], m["confidence_unparsed"]) == (6, 0)


def test_the_reliability_table() -> None:
    m = calibration(scores(SAMPLES))
    assert [m[f"VERY_CONFIDENT/{name}"] for name in ("share", "accuracy", "n")] == pytest.approx([1 / 2, 1 / 3, 3])
    assert math.isnan(m["VERY_UNCERTAIN/accuracy"])
    assert (m["VERY_UNCERTAIN/share"], m["VERY_UNCERTAIN/n"]) == (0, 0)


def test_every_number_has_both_errors_and_an_interval_around_it() -> None:
    m = calibration(scores([sample for k in range(4) for sample in _copies(str(k))]))
    for name in ("ece", "ece_answers", "ece_unanswerable", "brier", "CONFIDENT/accuracy", "CONFIDENT/share"):
        assert m[f"{name}_stderr"] > 0
        assert m[f"{name}_bootstrap_stderr"] > 0
        assert m[f"{name}_ci_low"] <= m[name] <= m[f"{name}_ci_high"]


def _copies(key: str) -> list[EvalSample]:
    for_each = zip("abcdef", (A, A, M, M, C, A), (LOW, LOW, LOW, HIGH, HIGH, HIGH), strict=True)
    return [
        row(f"{key}{name}", said, intensity=level, level="VERY_CONFIDENT" if name in "abc" else "CONFIDENT")
        for name, said, level in for_each
    ]


def test_without_a_confidence_there_is_nothing() -> None:
    assert calibration(scores([row("1", A, intensity=LOW)])) == {}
    empty = calibration_statistics(calibration_cells(RefusalRows()).sum(axis=0))
    assert len(empty) == len(NAMES)
    assert all(map(math.isnan, empty))


def test_rows_of_a_log_state_what_they_state_one_by_one() -> None:
    rows = with_confidence(scores(SAMPLES))
    twice = rows.at(np.array([*range(len(rows)), *range(len(rows))]))
    confidence, right = stated_confidence(twice)
    assert (confidence, right) == stated_confidence(list(twice))
    # the first three are very confident (midpoint 0.95), and only the first of them is right
    assert confidence[:3] == [0.95, 0.95, 0.95]
    assert right[:3] == [1.0, 0.0, 0.0]
