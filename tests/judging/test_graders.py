"""A grader judges at temperature 0 where nothing else is set."""

import asyncio
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.judging.graders import grading_config
from refusalbench_tasks.judging.label import LABEL_ONLY, judge_reply
from tests.models import output


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
