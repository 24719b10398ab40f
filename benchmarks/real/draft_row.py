"""A reply of a writer as a row: what was asked for, what came, and how it is read."""

from typing import Any

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.tool import ToolCall, ToolInfo
from pydantic import BaseModel

from refusalbench_tasks.collect import queries
from refusalbench_tasks.collect import question as collected
from refusalbench_tasks.collect.queries import QueryList
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.generators import writing
from refusalbench_tasks.generators.draft import drafts_schema
from refusalbench_tasks.generators.kit.calls import WRITER_FAILURES
from refusalbench_tasks.judging.ask import Form, Invalid, read_payload
from refusalbench_tasks.own.questions import draft
from refusalbench_tasks.own.questions.draft import Drafts
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

READ = "read"
"""The reading of a reply that fits its schema."""
FORMS: tuple[Form, ...] = (writing.FORM, draft.FORM, queries.FORM, collected.FORM)
Row = dict[str, Any]


def is_of_writer(event: ModelEvent) -> bool:
    """Return whether a call was one of a writer, by the tool that was offered."""
    tools = {form.tool for form in FORMS}
    return bool(event.tools) and event.tools[0].name in tools


def asked_of(sample: EvalSample, tool: ToolInfo) -> Row:
    """Return the class and the intensities that a writer of `perturb` was asked for."""
    if tool.name != writing.FORM.tool:
        return {}
    items = tool.parameters.properties["items"].items
    several = (items.properties or {})["intensity"].enum if items else None
    # a schema lists no choice where there is only one
    levels = several or [sample.metadata["intensity"]]
    return {"class": sample.metadata["perturbation"], "intensities": levels}


def reply_row(output: ModelOutput) -> Row:
    """Return a reply as it came: its text, the calls of tools, why it ended."""
    row: Row = {"reply": output.completion, "stop_reason": output.stop_reason}
    calls = output.message.tool_calls if output.choices else None
    if calls:
        row["calls"] = [_plain(call) for call in calls]
    return row


def _plain(call: ToolCall) -> Row:
    """Return a call of a tool as a row has it."""
    row: Row = {"function": call.function, "arguments": call.arguments}
    return row | ({"parse_error": call.parse_error} if call.parse_error else {})


def output_of(row: Row) -> ModelOutput:
    """Return the output that a row keeps."""
    output = ModelOutput.from_content("recorded", row["reply"], row["stop_reason"])
    if row.get("calls"):
        calls = [ToolCall(id=str(k), **call) for k, call in enumerate(row["calls"])]
        message = ChatMessageAssistant(content=row["reply"], tool_calls=calls)
        output = ModelOutput.from_message(message, row["stop_reason"])
    return output


def reading_of(row: Row) -> str:
    """Return how a writer's reply is read: `read`, or the failure that a task names."""
    form = next(form for form in FORMS if form.tool == row["tool"])
    answer = read_payload(output_of(row), schema_of(row), form)
    return WRITER_FAILURES[answer.failure] if isinstance(answer, Invalid) else READ


def schema_of(row: Row) -> type[BaseModel]:
    """Return the schema that a writer was asked to keep."""
    if row["tool"] == writing.FORM.tool:
        levels = tuple(Intensity(level) for level in row["intensities"])
        # the bundled bases of `nq` have one passage each
        return drafts_schema(PerturbationClass(row["class"]), levels, False, "edits")
    others: dict[str, type[BaseModel]] = {
        draft.FORM.tool: Drafts,
        queries.FORM.tool: QueryList,
        collected.FORM.tool: SourcedQuestion,
    }
    return others[row["tool"]]
