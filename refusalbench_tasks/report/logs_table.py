"""The table of the logs that a report is made from."""

from collections.abc import Sequence

from inspect_ai.log import EvalLog

from refusalbench_tasks.log_reading import file_name, task_of
from refusalbench_tasks.results.log_files import noted
from refusalbench_tasks.results.table import Logs, Run
from refusalbench_tasks.tables import Table, TableRow, filled

from .groups import Group


def logs_table(logs: Logs, groups: Sequence[Group]) -> Table:
    """Return which log each name stands for and how its run came about; and the logs
    that were left out, and why.
    """
    names = {}
    for group in groups:
        for system in group.systems:
            names[system.run.name] = f"{group.key}: {system.label}"
    rows = [_run_row(run, names.get(run.name, "")) for run in logs.runs]
    for log in logs.makers:
        about = {
            "log": file_name(log.location),
            "task": task_of(log),
            "used": "yes",
        }
        rows.append(about | _facts(log))
    for name, reason in logs.left_out:
        rows.append({"log": file_name(name), "used": f"no: {reason}"})
    return Table("logs", "Logs", filled(rows, ""))


def _run_row(run: Run, name: str) -> TableRow:
    return {
        "shown as": name,
        "log": file_name(run.name),
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
    """Return versions, revision and licence of the data, and hash of the prompt."""
    spec = header.eval
    # a log names the suite as its distribution, or as its package
    names = ("refusalbench-tasks", "refusalbench_tasks")
    versions = [str(spec.packages[name]) for name in names if name in spec.packages]
    return {
        "suite": "".join(versions[:1]),
        "task version": str(spec.task_version),
        "inspect": str(spec.packages.get("inspect_ai", "")),
        "revision": noted(header, "revision", "blob"),
        "licence": noted(header, "licence"),
        "prompt": noted(header, "prompt_sha256")[:16],
        "created": str(spec.created),
    }
