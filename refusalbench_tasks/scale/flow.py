"""The work list as a specification of inspect-flow."""

import shlex
from typing import Any

import yaml
from inspect_ai.model import GenerateConfig

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.work_list import WorkList, grouped

_OPTIONS = frozenset((
    "retry_attempts", "score", "log_level", "log_level_transcript", "sample_shuffle", "fail_on_error",
    "continue_on_fail", "retry_on_error", "score_on_error", "max_samples", "max_subprocesses", "max_sandboxes",
    "log_realtime", "log_images", "log_model_api", "log_refusals", "log_shared",
))  # fmt: skip
_OF_TASK = frozenset((
    "epochs", "message_limit", "token_limit", "turn_limit", "time_limit", "working_limit", "cost_limit",
))  # fmt: skip
_WITHOUT_VALUE = {"no_fail_on_error": ("fail_on_error", False), "no_score": ("score", False)}


def flow_spec(work: WorkList, at_once: int, max_connections: int | None) -> str:
    """Return the specification as YAML: a task for each shard, in one folder; merge that once they are done.

    Raises DataError for an option of `inspect eval` that a specification has no place for.
    """
    config: dict[str, Any] = {}
    task: dict[str, Any] = {}
    options: dict[str, Any] = {"log_buffer": 1, "max_tasks": min(at_once, work.shards)}
    for group in grouped(work.options):
        name, value = _named(group)
        place = config if name in GenerateConfig.model_fields else task if name in _OF_TASK else options
        if place is options and name not in (*_OPTIONS, *options):
            raise DataError(f"{group[0]}: a specification of inspect-flow has no place for it; leave it out")
        place[name] = value
    if max_connections is not None:
        # tasks of one specification share a process, and with it the limit
        config["max_connections"] = max_connections
    task |= {"model": work.model}
    if work.model_roles:
        task["model_roles"] = dict(_pair(text, "--model-role") for text in work.model_roles)
    if config:
        task["config"] = config
    arguments = {name: yaml.safe_load(value) for name, value in (_pair(text, "-T") for text in work.task_args)}
    tasks = [
        {"name": work.task, "args": {**arguments, "shard": f"{shard}/{work.shards}"}}
        for shard in range(1, work.shards + 1)
    ]
    spec = {"log_dir": work.folder, "options": options, "defaults": {"task": task}, "tasks": tasks}
    places = f"{shlex.quote(work.folder)} -o {shlex.quote(work.merged)}"
    told = f"# flow run THIS_FILE && refusalbench merge {places}\n"
    return told + yaml.safe_dump(spec, sort_keys=False, allow_unicode=True, width=1_000)


def _named(group: tuple[str, ...]) -> tuple[str, Any]:
    name = group[0].lstrip("-").replace("-", "_")
    if len(group) > 1:
        return name, yaml.safe_load(group[1])
    return _WITHOUT_VALUE.get(name, (name, True))


def _pair(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or value.startswith("{"):
        raise DataError(f"{option} {text}: expected name=value")
    return name, value
