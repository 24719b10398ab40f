"""Scripted agents for tests of `search`: what they do in each turn, by tool or by
line.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import Solver
from inspect_ai.tool import ToolCall

from refusalbench_tasks.tasks.search import search

SAMPLE: dict[str, Any] = {"data": "sample", "judge": "offline"}
Act = Callable[[list[ChatMessage]], ModelOutput]


def says(text: str) -> ModelOutput:
    """Return a turn in words."""
    return _used(ModelOutput.from_content("mockllm/agent", text))


def calls(function: str, **arguments: Any) -> ModelOutput:
    """Return a turn that calls a tool."""
    call = ToolCall(id=f"call-{function}", function=function, arguments=arguments)
    message = ChatMessageAssistant(content="", tool_calls=[call])
    return _used(ModelOutput.from_message(message, stop_reason="tool_calls"))


def _used(output: ModelOutput) -> ModelOutput:
    output.usage = ModelUsage(input_tokens=10, output_tokens=2, total_tokens=12)
    return output


def acting(act: Act) -> Model:
    """Return a model whose turns follow from the conversation."""

    def turn(
        messages: list[ChatMessage],
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        return act(messages)

    return get_model("mockllm/agent", custom_outputs=turn, memoize=False)


def in_turn(*outputs: ModelOutput) -> Act:
    """Return what takes these turns in each conversation, and repeats the last."""

    def act(messages: list[ChatMessage]) -> ModelOutput:
        taken = sum(message.role == "assistant" for message in messages)
        return outputs[min(taken, len(outputs) - 1)].model_copy(deep=True)

    return act


def question_in(messages: list[ChatMessage]) -> str:
    """Return the question that an agent was asked."""
    asked = next(message for message in messages if message.role == "user")
    return asked.text.removeprefix("QUESTION: ")


def searched(
    folder: Path,
    model: Model | None = None,
    solver: Solver | None = None,
    limit: int | None = None,
    task: Task | None = None,
    **arguments: Any,
) -> EvalLog:
    """Return the log of a run on the bundled rows."""
    (log,) = eval(
        task or search(**{**SAMPLE, **arguments}),
        model=model,
        solver=solver,
        limit=limit,
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error
    return log
