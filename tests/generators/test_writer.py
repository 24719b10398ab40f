"""How writers and verifiers are asked, and what is taken from a writer."""

import asyncio
import json
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.tool import ToolFunction

from refusalbench_tasks.generators.candidate import MultiDraft, SingleDraft
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.verification import verify
from refusalbench_tasks.generators.writer import Written, write
from tests.generators.panel import verdict, write_well
from tests.models import Answer, output

SLOT = make_plan(load_bases("nq_sample")[:1], bundled_levers()[:1])[0]
CELL = bundled_levers()[:1]


def watched(said: Any, seen: list[Any], name: str = "mockllm/w", **config: Any) -> Model:
    def reply(messages: Any, tools: Any, choice: Any, config: Any) -> ModelOutput:
        seen.append((messages[-1].text, tools[0], choice))
        return output(said(messages[-1].text), tool=tools[0].name)

    return get_model(name, custom_outputs=reply, memoize=False, config=GenerateConfig(**config))


def written(said: Any, seen: list[Any] | None = None, **config: Any) -> Written:
    return asyncio.run(write(watched(said, [] if seen is None else seen, **config), SLOT, CELL))


def in_text(template: str) -> Any:
    return lambda prompt: template.replace("JSON", json.dumps(write_well(prompt)))


def test_a_writer_is_offered_a_tool_of_its_own_name_and_asked_for_an_item() -> None:
    seen: list[Any] = []
    answers: list[Answer] = ["no", "no"]
    assert written(lambda _: answers.pop(), seen).failure == "grader_no_payload"
    (first, tool, choice), (again, _, _) = seen
    assert (tool.name, tool.description) == ("submit_item", "Submit the item.")
    assert choice == ToolFunction(name="submit_item")
    assert "verdict" not in first + again
    assert again.endswith("Submit a valid item.")


def test_a_model_that_reasons_is_not_forced_to_call_the_tool() -> None:
    seen: list[Any] = []
    assert written(write_well, seen, reasoning_effort="high").candidate
    assert written(write_well, seen, reasoning_tokens=2_000).candidate
    assert written(write_well, seen, reasoning_effort="none").candidate
    assert [choice for _, _, choice in seen] == ["auto", "auto", ToolFunction(name="submit_item")]
    candidate = written(write_well).candidate
    assert candidate
    judge = watched(lambda _: verdict(), seen, reasoning_effort="high")
    assert asyncio.run(verify(judge, SLOT, candidate, CELL)).passed
    assert seen[-1][2] == "auto"


@pytest.mark.parametrize("schema", [SingleDraft, MultiDraft])
def test_the_analysis_comes_first_and_none_may_be_left_out(schema: Any) -> None:
    made = schema.model_json_schema()
    assert next(iter(made["properties"])) == "analysis"
    assert made["required"] == list(made["properties"])


def test_one_fenced_object_with_prose_around_it_is_taken_from_a_writer() -> None:
    assert written(in_text("Here is the item.\n```json\nJSON\n```\nI hope it helps.")).candidate


@pytest.mark.parametrize(
    "text", ["Here: JSON", "```json\nJSON\n```\nor\n```json\nJSON\n```", "Here:\n```json\n[JSON]\n```", "```\nno\n```"]
)
def test_what_is_not_one_fenced_object_is_not(text: str) -> None:
    assert written(in_text(text)).candidate is None


def test_a_fenced_verdict_in_prose_is_no_vote() -> None:
    candidate = written(write_well).candidate
    assert candidate
    said = f"I think:\n```json\n{json.dumps(verdict())}\n```"
    assert asyncio.run(verify(watched(lambda _: said, []), SLOT, candidate, CELL)).passed is None
