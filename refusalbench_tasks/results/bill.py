"""What a run will take, counted before it: calls to models that are not there."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from inspect_ai import eval
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

import refusalbench_tasks
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.graders import ROLE

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

Size = Callable[[str], float]
"""Says how many tokens a text has."""
Counts = Mapping[str, float]
"""Rows, calls and tokens by their names."""
MODEL = "model"
_IN = "tokens in"
_OUT = "tokens out"
_AGAIN = "Your last reply could not be used"
"""What a stand-in for a grader is asked again by: no call that is due."""
_REPLY = " ".join(["word"] * 30)
"""A reply, and a verdict, where no log says how long they are."""


def dry_run(
    task: str,
    args: Mapping[str, Any],
    size: Size,
    ids: list[str] | list[int] | list[str | int] | None = None,
) -> dict[str, Counter[str]]:
    """Return what a run over all rows, or those of `ids`, asks of the model and of the
    grader, by role.

    Every reply is one that the grader has to read. Raises DataError for bad arguments.
    """
    counts: dict[str, Counter[str]] = {MODEL: Counter(), ROLE: Counter()}
    models = {role: _stand_in(count, size) for role, count in counts.items()}
    unchecked = {**args, "grader_check": "off"}
    with TemporaryDirectory() as folder:
        (log,) = eval(
            getattr(refusalbench_tasks, task)(**unchecked),
            model=models[MODEL],
            model_roles={ROLE: models[ROLE]},
            sample_id=ids,
            log_dir=folder,
            log_samples=False,
            log_level="error",
            display="none",
        )
    if log.results is None:
        raise DataError(f"{task}: its calls cannot be counted ({log.status})")
    for count in counts.values():
        count["rows"] = log.results.total_samples
    return counts


def _stand_in(count: Counter[str], size: Size) -> Model:
    """Return a model that counts what it is asked, and replies with words alone."""

    def reply(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", _REPLY)
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


def shares_of(log: "EvalLog", task: str, size: Size) -> dict[str, Counts]:
    """Return by what a dry run of a finished run's rows has to be multiplied to be what
    its log says, by model; `minutes` are those of a row.
    """
    spec, stats = log.eval, log.stats
    counts = dry_run(
        task,
        spec.task_args_passed,
        size,
        spec.dataset.sample_ids,
    )
    rows = counts[MODEL]["rows"]
    if not spec.model_roles or (stats.role_usage and len(stats.model_usage) == 1):
        # the model graded itself
        counts[MODEL] += counts[ROLE]
    epochs = spec.config.epochs or 1
    started, ended = map(datetime.fromisoformat, (stats.started_at, stats.completed_at))
    minutes = (ended - started).total_seconds() / 60
    shares: dict[str, Counts] = {}
    for name, usage in stats.model_usage.items():
        count = counts[MODEL if name == spec.model else ROLE]
        if count["calls"]:
            # with those that a cache held, which `input_tokens` leaves out
            tokens_in = usage.total_tokens - usage.output_tokens
            shares[name] = {
                _IN: tokens_in / count[_IN] / epochs,
                _OUT: usage.output_tokens / count[_OUT] / epochs,
                "minutes": minutes / rows / epochs,
            }
    return shares


def bill_line(
    count: Counts,
    share: Counts | None,
    price: Counts | None,
) -> dict[str, float | None]:
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
    }
