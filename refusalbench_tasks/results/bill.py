"""What a run will take, counted before it: calls to models that are not there."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from inspect_ai import Task, eval
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.graders import ROLE
from refusalbench_tasks.log_reading import file_name

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

Size = Callable[[str], float]
"""Says how many tokens a text has."""
Counts = Mapping[str, Any]
"""Rows, calls and tokens by their names, and the log that says so."""
MODEL = "model"
_IN = "tokens in"
_OUT = "tokens out"
_AGAIN = "Your last reply could not be used"
"""What a stand-in for a grader is asked again by: no call that is due."""
_REPLY = " ".join(["word"] * 30)
"""A reply, and a verdict, where no log says how long they are."""


def task_to_run(name: str, args: Mapping[str, Any]) -> Task:
    """Return a task without the check of its graders. Raises DataError for bad
    arguments.
    """
    make_task = getattr(import_module(f"refusalbench_tasks.tasks.{name}"), name)
    task: Task = make_task(**{**args, "grader_check": "off"})
    return task


def dry_run(task: Task, size: Size) -> dict[str, Counter[str]]:
    """Return what a run asks of the model and of the grader, by role.

    Every reply is one that the grader has to read, and an agent takes all its turns.
    Raises DataError where that cannot be counted.
    """
    rows = len(task.dataset)
    counts = {role: Counter(rows=rows) for role in (MODEL, ROLE)}
    with TemporaryDirectory() as folder:
        (log,) = eval(
            task,
            model=_stand_in(counts[MODEL], size, task.message_limit),
            model_roles={ROLE: _stand_in(counts[ROLE], size)},
            log_dir=folder,
            log_samples=False,
            log_level="error",
            display="none",
        )
    if log.results is None:
        raise DataError(f"{task.name}: its calls cannot be counted ({log.status})")
    return counts


def _stand_in(count: Counter[str], size: Size, limit: int | None = None) -> Model:
    """Return a model that counts what it is asked, and replies with words alone; an
    agent, which has a limit of messages, behind as many searches as that allows.
    """

    def reply(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", _REPLY)
        if limit and tools:
            action = "search", {"query": messages[1].text}
            # a call and its result are two messages
            if len(messages) + 2 >= limit:
                action = "submit", {"answer": _REPLY}
            output = ModelOutput.for_tool_call("mockllm/model", *action, _REPLY)
        output.usage = ModelUsage()
        asked = [message.text for message in messages]
        if _AGAIN not in asked[-1]:
            asked += [tool.model_dump_json(exclude_none=True) for tool in tools]
            replied = size(_REPLY)
            count["calls"] += 1
            count[_IN] += round(sum(map(size, asked)))
            count[_OUT] += round(min(config.max_tokens or replied, replied))
        return output

    return get_model("mockllm/model", custom_outputs=reply, memoize=False)


def shares_of(log: "EvalLog", name: str, size: Size) -> dict[str, Counts]:
    """Return by what a dry run of a finished run's rows has to be multiplied to be what
    its log says, by model; `minutes` are those of a row.

    Raises DataError for an unfinished run, for one whose rows have changed, and as
    `dry_run` does.
    """
    if log.status != "success":
        raise DataError(f"it did not finish ({log.status})")
    spec, stats = log.eval, log.stats
    task = task_to_run(name, spec.task_args_passed)
    ids = spec.dataset.sample_ids
    if not ids:
        raise DataError("it does not list the ids of its rows")
    task.dataset = task.dataset.filter(lambda sample: sample.id in ids)
    if len(task.dataset) < len(ids):
        raise DataError(f"{len(task.dataset)} of its {len(ids)} rows are still there")
    task.message_limit = spec.config.message_limit
    counts = dry_run(task, size)
    if not spec.model_roles or (stats.role_usage and len(stats.model_usage) == 1):
        # the model graded itself
        counts[MODEL] += counts[ROLE]
    epochs = spec.config.epochs or 1
    started, ended = map(datetime.fromisoformat, (stats.started_at, stats.completed_at))
    minutes = (ended - started).total_seconds() / 60 / len(task.dataset)
    shares: dict[str, Counts] = {}
    for model, usage in stats.model_usage.items():
        count = counts[MODEL if model == spec.model else ROLE]
        if count["calls"]:
            # with those that a cache held, which `input_tokens` leaves out
            tokens_in = usage.total_tokens - usage.output_tokens
            shares[model] = {
                _IN: tokens_in / count[_IN] / epochs,
                _OUT: usage.output_tokens / count[_OUT] / epochs,
                "minutes": minutes / epochs,
                "by log": file_name(log.location),
            }
    return shares


def bill_line(
    count: Counts,
    share: Counts | None,
    price: Counts | None,
) -> dict[str, Any]:
    """Return what the calls to a model take; None for what nobody knows."""
    scale = share or {}
    tokens = [round(count[name] * scale.get(name, 1)) for name in (_IN, _OUT)]
    cost = None
    if price:
        cost = (tokens[0] * price["input"] + tokens[1] * price["output"]) / 1e6
    return {
        "calls": count["calls"],
        _IN: tokens[0],
        _OUT: tokens[1],
        "price": cost,
        "minutes": share["minutes"] * count["rows"] if share else None,
        "by log": scale.get("by log"),
    }
