"""A grader judges at temperature 0 where nothing else is set."""

import asyncio
import logging
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.judging.graders import (
    LONGEST,
    count_verdict,
    forget_failures,
    grading_config,
)
from refusalbench_tasks.judging.label import LABEL_ONLY, judge_reply
from tests.models import output, scripted


def listening(config: GenerateConfig, heard: list[float | None]) -> Model:
    def reply(
        messages: list[ChatMessage],
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        heard.append(config.temperature)
        return output({"explanation": "x", "label": "REFUSE_OTHER"})

    return get_model("mockllm/fake", config=config, custom_outputs=reply, memoize=False)


@pytest.mark.parametrize(
    ("config", "temperature"),
    [
        (GenerateConfig(), 0.0),
        (GenerateConfig(temperature=0.7), 0.7),
        (GenerateConfig(reasoning_effort="low"), None),
        (GenerateConfig(reasoning_tokens=1024), None),
    ],
)
def test_the_temperature_is_0_unless_one_is_set_or_the_grader_reasons(
    config: GenerateConfig, temperature: float | None
) -> None:
    heard: list[float | None] = []
    asyncio.run(
        judge_reply(listening(config, heard), "When?", "I won't say.", LABEL_ONLY)
    )
    assert heard == [temperature]


def test_a_model_that_is_known_to_reason_is_given_no_temperature() -> None:
    assert grading_config(get_model("openai/o3", api_key="none")) is None


def test_a_long_row_is_told_once_until_a_new_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    grader = scripted()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            count_verdict(grader, "grader_truncated")
            for _ in range(LONGEST + 3):
                count_verdict(grader, "grader_no_payload")
        assert len(caplog.messages) == 1
        assert f"no verdict on {LONGEST} replies in a row" in caplog.messages[0]
        assert "most often: grader_no_payload (9)" in caplog.messages[0]
        forget_failures([grader])
        for _ in range(LONGEST):
            count_verdict(grader, "grader_no_payload")
    assert len(caplog.messages) == 2


def test_a_verdict_ends_the_row(caplog: pytest.LogCaptureFixture) -> None:
    grader = scripted()
    for k in range(3 * LONGEST):
        count_verdict(grader, "grader_no_payload" if k % (LONGEST - 1) else None)
    assert not caplog.messages
