"""The table of the logs that a report is made from."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.results.log_files import noted, task_of
from refusalbench_tasks.results.table import Logs, Run
from refusalbench_tasks.tables import Table, TableRow

_PACKAGE = ("refusalbench-tasks", "refusalbench_tasks")


def logs_table(logs: Logs, groups: Sequence[Group]) -> Table:
    """Return which log each name stands for and how its run came about; and the logs
    that were left out, and why.
    """
    names = {
        one.run.name: f"{group.key}: {one.label}"
        for group in groups
        for one in group.systems
    }
    rows = [_of_run(run, names.get(run.name, "")) for run in logs.runs]
    rows += [
        {"log": _file(log.location), "task": task_of(log), "used": "yes"} | _facts(log)
        for log in logs.makers
    ]
    rows += [
        {"log": _file(name), "used": f"no: {reason}"} for name, reason in logs.left_out
    ]
    columns = dict.fromkeys(name for row in rows for name in row)
    return Table(
        "logs", "Logs", [{name: row.get(name, "") for name in columns} for row in rows]
    )


def _of_run(run: Run, name: str) -> TableRow:
    return {
        "shown as": name,
        "log": _file(run.name),
        "model": run.model,
        "task": run.task,
        "status": run.status,
        "samples": len(run.replies),
        "errors": len(run.lost),
        "rows": run.fingerprint,
        "graders": " + ".join(sorted(run.graders)),
        "protocol": run.protocol,
        "settings": run.settings,
        **_facts(run.header),
        "used": "yes",
    }


def _facts(header: EvalLog) -> TableRow:
    """Return versions, revision and licence of the data, hash of the prompt, tokens of
    all models, cost in dollars.
    """
    spec = header.eval
    usages = [*header.stats.model_usage.values()]
    costs = [usage.total_cost for usage in usages if usage.total_cost is not None]
    tokens_in = sum(
        usage.input_tokens
        + (usage.input_tokens_cache_read or 0)
        + (usage.input_tokens_cache_write or 0)
        for usage in usages
    )
    packages: Mapping[str, Any] = spec.packages
    return {
        "suite": next((str(packages[one]) for one in _PACKAGE if one in packages), ""),
        "task version": str(spec.task_version),
        "inspect": str(packages.get("inspect_ai", "")),
        "revision": noted(header, "revision", "blob"),
        "licence": noted(header, "licence"),
        "prompt": noted(header, "prompt_sha256")[:16],
        "tokens in": tokens_in if usages else "",
        "tokens out": sum(usage.output_tokens for usage in usages) if usages else "",
        "cost ($)": round(sum(costs), 4) if costs and len(costs) == len(usages) else "",
        "created": str(spec.created),
    }


def _file(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2]
