"""The scores of one reply: right or wrong, its numbers, and the one decision behind
both.
"""

import asyncio
import math
from typing import Any

import pytest
from inspect_ai.model import ModelName, ModelOutput, StopReason
from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)

MISSING = PerturbationClass.MISSING_INFO


def state(
    reply: str,
    intensity: Intensity = Intensity.HIGH,
    stop: StopReason = "stop",
    **settings: Any,
) -> TaskState:
    item = RefusalItem(
        item_id="i",
        source_id="s",
        query="When?",
        passages=("p",),
        answers=("1987",),
        perturbation=MISSING,
        intensity=intensity,
        expected=expected_label(MISSING, intensity),
    )
    sample = item.to_sample({"judge": "offline", **settings})
    return TaskState(
        model=ModelName("none/none"),
        sample_id="i",
        epoch=1,
        input=sample.input,
        messages=[],
        output=ModelOutput.from_content("m", reply, stop_reason=stop),
        metadata=sample.metadata or {},
    )


def scored(of: TaskState) -> tuple[Score, Score]:
    async def both() -> list[Score | None]:
        return [
            await scorer(of, Target(""))
            for scorer in (refusal_correct(), refusal_scores())
        ]

    first, second = asyncio.run(both())
    assert first is not None
    assert second is not None
    return first, second


@pytest.mark.parametrize(
    ("of", "value", "answer", "told"),
    [
        (
            state("REFUSE_MISSING"),
            "C",
            Label.MISSING,
            f"given {Label.MISSING} (parse: a bare refusal code)",
        ),
        (
            state("REFUSE_OTHER"),
            "I",
            Label.OTHER,
            "given REFUSE_OTHER (parse: a bare refusal code)",
        ),
        (
            state("REFUSE_OTHER", codes=False),
            "C",
            "REFUSAL",
            "given REFUSAL (parse: a bare refusal code)",
        ),
        (
            state("It was 1987."),
            "I",
            Label.ANSWER,
            "given ANSWER_CORRECTLY (alias: answers, by its gold)",
        ),
        (state(""), "I", None, "given nothing (no_response)"),
        (
            state("REFUSE_MISSING", stop="max_tokens"),
            "I",
            None,
            "given nothing (truncated)",
        ),
        (
            state("Maybe."),
            None,
            None,
            "given nothing (undecided_offline: the reader is not sure)",
        ),
    ],
)
def test_the_first_score_is_right_or_wrong_with_a_reason_in_one_line(
    of: TaskState, value: str | None, answer: str | None, told: str
) -> None:
    score, _ = scored(of)
    assert score.value == value or (value is None and math.isnan(score.as_float()))
    assert score.answer == answer
    assert score.explanation == f"expected {Label.MISSING}, {told}"


def test_a_reply_that_the_model_failed_to_give_is_no_refusal_and_not_right() -> None:
    _, numbers = scored(state("", Intensity.LOW))
    value: Any = numbers.value
    assert (value["refused"], value["right"], value["unscored"], numbers.reason) == (
        0,
        0,
        0,
        "no_response",
    )
    assert math.isnan(value["hit"])  # there is no code to give


def test_offline_a_refusal_in_words_is_a_refusal_whose_code_is_not_known() -> None:
    correct, numbers = scored(
        state("The provided documents do not say when it opened.")
    )
    value: Any = numbers.value
    assert (value["refused"], value["unscored"], numbers.answer) == (1, 0, "REFUSAL")
    assert all(math.isnan(value[name]) for name in ("hit", "right"))
    assert (correct.answer, correct.reason) == ("REFUSAL", "undecided_offline")


def test_a_score_says_whether_a_refusal_asks_back_unless_the_judge_cannot_tell() -> (
    None
):
    for of, asks_back in (
        (state("REFUSE_MISSING"), 0.0),
        (state("It was 1987."), 0.0),
        (state(""), 0.0),
        (state("Maybe."), math.nan),
        (state("REFUSE_MISSING", judge="cascade"), 0.0),
        (state("REFUSE_MISSING", judge="cascade", judge_prompt="official"), math.nan),
    ):
        value: Any = scored(of)[1].value
        assert value["asks_back"] == pytest.approx(asks_back, nan_ok=True)
        assert math.isnan(value["asks_about_the_ambiguity"])
