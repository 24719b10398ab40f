"""In which ways a model is asked for a confidence."""

import asyncio
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelOutput, get_model

from refusalbench_tasks.solvers.confidence_judge import (
    ConfidenceJudge,
    is_rejection,
    ways_of_asking,
)
from tests.models import output

NUMBER = GenerateConfig(max_tokens=16)


class Rejected(Exception):
    def __init__(self, status: int = 400) -> None:
        super().__init__(f"status {status}")
        self.status_code = status


def judge(ways: list[GenerateConfig], reply: Any) -> ConfidenceJudge:
    def answer(
        messages: Any, tools: Any, choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        return output(reply(config))

    return ConfidenceJudge(
        get_model("mockllm/fake", custom_outputs=answer, memoize=False), ways
    )


@pytest.mark.parametrize(
    ("official", "alternatives"), [(False, [20, 5, 5]), (True, [5, 5])]
)
def test_a_letter_is_asked_for_with_fewer_alternatives_and_then_without_temperature(
    official: bool, alternatives: list[int]
) -> None:
    ways = ways_of_asking("openai/x", "logprob", 1, official)
    assert [way.top_logprobs for way in ways] == alternatives
    assert [way.temperature for way in ways][-2:] == [0.0, None]


def test_votes_are_asked_for_at_once_and_never_taken_from_the_cache() -> None:
    ways = ways_of_asking("openai/x", "sample", 10, False)
    assert [way.num_choices for way in ways] == [10, None, None, None]
    assert {way.cache for way in ways} == {False}
    assert len(ways_of_asking("openai/x", "sample", 1, False)) == 3


def test_a_way_that_works_is_kept_and_one_that_is_rejected_not_tried_again() -> None:
    asked: list[int | None] = []

    def reply(config: GenerateConfig) -> str:
        asked.append(config.max_tokens)
        if config.max_tokens:
            raise Rejected
        return "0.5"

    asking = judge([NUMBER, GenerateConfig()], reply)
    assert asyncio.run(asking.ask("How sure?")).completion == "0.5"
    assert asyncio.run(asking.ask("How sure?")).completion == "0.5"
    assert asked == [16, None, None]


def test_as_many_replies_as_votes_are_brought() -> None:
    asking = judge([NUMBER], lambda _: "A")
    assert asyncio.run(asking.votes("A or B?", 3)) == ["A"] * 3


@pytest.mark.parametrize(
    ("error", "rejected"),
    [
        (Rejected(400), True),
        (Rejected(422), True),
        (Rejected(401), False),
        (ValueError("temperature"), True),
        (UnicodeError("x"), False),
        (KeyError("x"), False),
    ],
)
def test_a_request_that_is_not_taken_as_it_is_is_told_from_other_errors(
    error: Exception, rejected: bool
) -> None:
    assert is_rejection(error) is rejected
