"""What a row of the table of replies holds."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import Score

from refusalbench_tasks.metrics.reply_table import reply_row, reply_table
from refusalbench_tasks.taxonomy import REFUSAL
from tests.metrics.replies import A, C, M, reply

FACTS: dict[str, Any] = {
    "item_id": "q1-3",
    "source_id": "q1",
    "expected": M.value,
    "accepted_alternatives": [C.value],
    "perturbation": "P-MissingInfo",
    "intensity": "HIGH",
    "pair": "p",
    "knobs": {"hops": 2, "odd": [1]},
}


def test_a_row_has_what_the_sample_and_its_score_tell() -> None:
    value = {"right": 1.0, "unscored": 0.0, "grade": None, "confidence": 0.8}
    notes = {
        "epoch": 2,
        "decided_by": "parse",
        "level": "CONFIDENT",
        "graders": ["g"],
        "cluster": "row",
    }
    row = reply_row(
        FACTS,
        Score(value=value, answer=M.value, metadata=notes | {"gold_retrieved": True}),
    )
    assert (row["item"], row["cluster"], row["epoch"], row["pair"]) == (
        "q1-3",
        "q1",
        2,
        "p",
    )
    assert (row["expected"], row["predicted"], row["outcome"], row["right"]) == (
        M.value,
        M.value,
        "decided",
        1,
    )
    assert (row["class"], row["intensity"], row["accepted"]) == (
        "P-MissingInfo",
        "HIGH",
        (C.value,),
    )
    assert (row["decided_by"], row["graders"], row["cluster_by"], row["protocol"]) == (
        "parse",
        ("g",),
        "row",
        "paper",
    )
    assert (row["confidence"], row["level"], row["gold_retrieved"]) == (
        0.8,
        "CONFIDENT",
        1,
    )
    assert math.isnan(row["grade"])  # null is "unknown"
    assert row["knobs"] == {"hops": 2}


def test_a_refusal_without_a_code_is_right_only_in_a_run_without_codes() -> None:
    refusal = Score(
        value={"unscored": 0.0}, answer=REFUSAL, metadata={"decided_by": "reading"}
    )
    row = reply_row(FACTS, refusal)
    assert (row["predicted"], row["outcome"]) == (REFUSAL, "decided")
    assert math.isnan(row["right"])
    assert reply_row({**FACTS, "expected": A.value}, refusal)["right"] == 0
    without_codes = refusal.model_copy(update={"metadata": {"codes": False}})
    assert reply_row(FACTS, without_codes)["right"] == 1


@pytest.mark.parametrize("reason", ["no_response", "truncated", "provider_refusal"])
def test_an_empty_cut_or_stopped_reply_is_the_models_and_not_right(reason: str) -> None:
    row = reply(A, reason)
    assert (row["outcome"], row["right"], row["reason"], row["predicted"]) == (
        "no_reply",
        0,
        reason,
        "",
    )


@pytest.mark.parametrize(
    "reason", ["grader_failed", "undecided_offline", "no_grader", "scoring_failed"]
)
def test_what_could_not_be_measured_is_unscored_and_not_known_to_be_wrong(
    reason: str,
) -> None:
    row = reply(A, reason)
    assert row["outcome"] == "unscored"
    assert math.isnan(row["right"])


@pytest.mark.parametrize(
    ("expected", "predicted", "graded", "codes", "right"),
    [
        (A, A, True, None, 1),
        (A, A, False, None, 0),
        (A, A, None, None, math.nan),
        (A, M, True, None, 0),
        (M, M, None, None, 1),
        (M, C, None, None, 0),
        (M, A, True, None, 0),
        (M, C, None, False, 1),
    ],
)
def test_right_is_a_right_answer_or_the_gold_code(
    expected: Any, predicted: Any, graded: bool | None, codes: bool | None, right: float
) -> None:
    assert reply(expected, predicted, graded, codes=codes)["right"] == pytest.approx(
        right, nan_ok=True
    )


def test_replies_without_an_epoch_are_counted_for_each_item() -> None:
    rows = [reply(A, A, True, facts={"item_id": item}) for item in "abab"]
    rows.append(reply(A, A, True, facts={"item_id": "a"}, epoch=7))
    assert reply_table(rows)["epoch"].tolist() == [1, 1, 2, 2, 7]


def test_what_is_no_label_of_ours_is_an_error() -> None:
    with pytest.raises(ValueError, match="NO_LABEL"):
        reply_row(FACTS | {"expected": "NO_LABEL"}, Score(value={}))
