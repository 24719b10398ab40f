"""Calibration of stated levels, worked by hand, by the reply and by the row."""

import math
from typing import Any

import pytest

from refusalbench_tasks.metrics.calibration import binned_grades, calibration
from refusalbench_tasks.metrics.hedging_columns import hedging_columns
from refusalbench_tasks.metrics.refusal_metrics import CALIBRATION
from refusalbench_tasks.stats.proportion import wilson
from tests.metrics.bluff_table import NAN
from tests.metrics.bluff_table import reply as bluff_reply
from tests.metrics.bluff_table import table as bluff_table
from tests.metrics.replies import A, C, M, replies, reply

TOP = "VERY_CONFIDENT"
HIGH = "CONFIDENT"
LOW = "UNCERTAIN"


def sure(*args: Any, level: str) -> dict[str, Any]:
    return reply(*args, level=level, confidence_asked=True)


ROWS = [
    sure(A, A, True, level=TOP),
    sure(A, A, False, level=TOP),
    sure(A, M, level=TOP),  # a refusal of an answerable row, wrong
    sure(M, M, level=HIGH),
    sure(M, C, level=HIGH),
    sure(M, A, level=LOW),
    sure(M, "grader_failed", level=LOW),  # unscored: in nothing
    # wrong, but stated with no whole reply: in nothing
    sure(A, "truncated", level=LOW),
    sure(M, M, level=""),
]


def test_answers_and_refusals_are_replies_and_answerable_ones_are_rows() -> None:
    m = calibration(replies(*ROWS), 0)
    # all: at .95 1 of 3 is right, at .80 1 of 2, at .40 0 of 1
    assert m["ece"].value == pytest.approx((abs(1 - 2.85) + abs(1 - 1.6) + 0.4) / 6)
    # replies that answer: 1, 2 and 6; that refuse: 3, 4 and 5
    assert m["ece_answers"].value == pytest.approx((abs(1 - 1.9) + 0.4) / 3)
    assert m["ece_refusals"].value == pytest.approx((0.95 + abs(1 - 1.6)) / 3)
    # rows to be answered: 1, 2 and 3; to be refused: 4, 5 and 6
    assert m["ece_answerable"].value == pytest.approx(abs(1 - 2.85) / 3)
    assert m["ece_unanswerable"].value == pytest.approx((abs(1 - 1.6) + 0.4) / 3)
    assert m["brier"].value == pytest.approx(
        (0.05**2 + 2 * 0.95**2 + 0.2**2 + 0.8**2 + 0.4**2) / 6
    )
    assert [m[name].n for name in ("ece", "ece_answers", "ece_refusals", "brier")] == [
        6,
        3,
        3,
        6,
    ]


def test_each_level_has_its_share_and_its_accuracy() -> None:
    m = calibration(replies(*ROWS), 0)
    share = m[f"{TOP}/share"]
    accuracy = m[f"{TOP}/accuracy"]
    assert [share.value, share.n, accuracy.value, accuracy.n] == pytest.approx(
        [1 / 2, 6, 1 / 3, 3]
    )
    never = m["VERY_UNCERTAIN/accuracy"]
    assert (math.isnan(never.value), never.n, m["VERY_UNCERTAIN/share"].value) == (
        True,
        0,
        0,
    )


def test_without_a_question_for_confidence_there_is_no_calibration() -> None:
    assert calibration(replies(reply(A, A, True))) == {}
    silent = calibration(replies(sure(A, A, True, level="")))
    assert set(silent) == set(CALIBRATION)
    assert all(math.isnan(one.value) and one.n == 0 for one in silent.values())


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_grades_are_told_by_bins_of_confidence_with_the_questions_as_n(
    protocol: str,
) -> None:
    rows = bluff_table(
        bluff_reply("a", "clear", confidence=0.31, correctness=0.0),
        bluff_reply("a", "ambiguous", confidence=0.39),
        bluff_reply("b", "clear", confidence=0.35, correctness=NAN),
        bluff_reply("b", "ambiguous", confidence=1.0),
        protocol=protocol,
    )
    low, high = binned_grades(hedging_columns(rows), rows["cluster"])
    assert (low[0], low[1].value, low[1].n, low[1].units) == (0.35, 0.5, 2, 1)
    assert (high[0], high[1].value, high[1].n) == (1, 1, 1)
    assert (high[1].low, high[1].high) == wilson(1, 1)
