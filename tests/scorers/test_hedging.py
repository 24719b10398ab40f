"""The scores of a reply of bluff."""

import asyncio
import math
from typing import Any

import pytest
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scorers.hedging import (
    COUNTED,
    FAITHFULNESS,
    hedging_correct,
    hedging_scores,
)

ITEM = load_bluff("sample")[0][0]


def scored(scorer: Any, reply: str) -> Score:
    sample = ITEM.to_sample()
    state = TaskState(
        model=ModelName("none/none"),
        sample_id="i",
        epoch=1,
        input=sample.input,
        messages=[],
        output=ModelOutput.from_content("m", reply),
        metadata=sample.metadata or {},
    )
    score = asyncio.run(scorer(judge="offline")(state, Target("")))
    assert isinstance(score, Score)
    return score


def test_every_number_has_its_place_and_what_is_unknown_is_nan() -> None:
    values = scored(hedging_scores, f"It is perhaps {ITEM.answer}.").as_dict()
    assert list(values) == [
        "refused",
        "correctness",
        "confidence",
        *COUNTED,
        *FAITHFULNESS,
        "unscored",
    ]
    assert values["hedges"] == 1
    assert math.isnan(float(values["correctness"] or 0))
    assert math.isnan(float(values["confidence"] or 0))


@pytest.mark.parametrize(
    ("reply", "value", "label"),
    [("I don't know.", "I", "refused"), ("", "I", "unknown")],
)
def test_a_refusal_and_no_reply_are_no_right_answer(
    reply: str, value: str, label: str
) -> None:
    score = scored(hedging_correct, reply)
    assert score.value == value
    assert f"({label})" in str(score.explanation)


def test_an_ungraded_answer_is_unscored_with_the_reason() -> None:
    score = scored(hedging_correct, ITEM.answer)
    assert score.value != score.value
    assert score.reason == "undecided_offline"


def test_a_setting_of_another_kind_is_told_before_any_sample() -> None:
    with pytest.raises(DataError, match="lexicon: no such file"):
        hedging_scores(lexicon="nowhere")
