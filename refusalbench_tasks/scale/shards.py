"""The shards of one run among logs: the current attempt at each, and whether together
they are the run.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log_sample_summaries

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import UnreadableLog, read_header

from .store import exists

Facts = dict[str, Any]


@dataclass(frozen=True)
class ShardLog:
    """One shard's log: where it is, how large, and its header without samples."""

    name: str
    size: int
    """Bytes of its file."""
    header: EvalLog

    @property
    def file(self) -> str:
        """Return the name of its file, without the folder."""
        return unquote(self.name.rpartition("/")[2])

    @property
    def facts(self) -> Facts:
        """Return what the task noted of its part and of the whole."""
        return self.header.eval.metadata or {}

    @property
    def ids(self) -> list[int | str]:
        """Return the ids of its rows."""
        return list(self.header.eval.dataset.sample_ids or ())

    @property
    def planned(self) -> int:
        """Return how many samples it should have: one of each row and epoch."""
        return len(self.ids) * (self.header.eval.config.epochs or 1)

    @property
    def finished(self) -> bool:
        """Whether it ended as it should."""
        return self.header.status == "success"

    def completed(self) -> int:
        """Return how many samples are finished in it; 0 where that can't be read, so
        that nothing goes on from it.
        """
        try:
            return sum(
                summary.completed and not summary.error
                for summary in read_eval_log_sample_summaries(self.name)
            )
        except Exception:  # anything can be wrong with a file that was not finished
            return 0


def shard_logs(
    locations: Iterable[str],
    damaged: bool,
) -> list[ShardLog]:
    """Return the logs in files and folders; with `damaged`, what can't be read is
    passed over, since its process died.

    Raises DataError for a place that does not exist and a log that can't be read.
    """
    logs = []
    for location in locations:
        if not exists(location):
            raise DataError(f"{location}: there is no such file or folder")
        for info in list_eval_logs(location, descending=False):
            try:
                logs.append(
                    ShardLog(
                        info.name,
                        info.size,
                        read_header(info.name),
                    )
                )
            except UnreadableLog:
                if not damaged:
                    raise
    return logs


def shards_of_a_run(logs: Sequence[ShardLog]) -> list[ShardLog]:
    """Return the shards of one run in order; a finished attempt stands for the
    unfinished ones, else the newest does.

    Raises DataError for a log that is no shard, for shards of more than one run (it
    names what differs), for a sample in two shards, and for shards that are missing or
    unfinished.
    """
    if not logs:
        raise DataError("no logs to merge")
    first: Facts = {}
    attempts = defaultdict(list)
    for log in logs:
        if not {"shard", "of", "whole_rows", "whole_fingerprint"} <= set(log.facts):
            raise DataError(f"{log.name}: not a shard; it was run without -T shard=i/n")
        first = first or _run_facts(log)
        for name, value in _run_facts(log).items():
            if value != first[name]:
                raise DataError(
                    f"{log.name}: a shard of another run than {logs[0].name}: {name}"
                    f" {value!r}, there {first[name]!r}; give the logs of one run"
                )
        attempts[int(log.facts["shard"])].append(log)
    number_of_shards = int(logs[0].facts["of"])
    shards = []
    missing = []
    for number in range(1, number_of_shards + 1):
        if number not in attempts:
            missing.append(str(number))
            continue
        # the last attempt counts
        current = max(
            attempts[number],
            key=lambda log: (log.finished, log.header.eval.created, len(log.ids)),
        )
        shards.append(current)
        if not current.finished:
            missing.append(f"{number} ({current.header.status})")
    if missing:
        raise DataError(
            f"of {number_of_shards} shards {len(missing)} are missing or unfinished:"
            f" {', '.join(missing)}; run them"
        )
    _check_rows(shards)
    return shards


def _check_rows(shards: Sequence[ShardLog]) -> None:
    seen: dict[int | str, ShardLog] = {}
    for log in shards:
        for name in log.ids:
            other = seen.setdefault(name, log)
            if other is not log:
                raise DataError(
                    f"{log.name} and {other.name} both have the sample {name!r}; shards"
                    " don't overlap"
                )
    whole = shards[0].facts["whole_rows"]
    if len(seen) != whole:
        raise DataError(
            f"the shards hold {len(seen)} rows and the run has {whole}; run them"
            " without --limit"
        )


def _run_facts(log: ShardLog) -> Facts:
    spec = log.header.eval
    # a log names the suite as its distribution or as its import
    names = ("refusalbench-tasks", "refusalbench_tasks")
    versions = map(spec.packages.get, names)
    compared = {
        "task",
        "task_version",
        "model",
        "model_roles",
        "solver",
        "model_generate_config",
    }
    return {
        **spec.model_dump(
            include=compared, exclude={"model_generate_config": {"max_connections"}}
        ),
        "version of the suite": next(filter(None, versions), None),
        "task arguments": without_shard(spec.task_args_passed),
        "epochs": spec.config.epochs or 1,
        "number of shards": log.facts["of"],
        "rows": log.facts["whole_fingerprint"],
        "prompt": log.facts.get("prompt_sha256"),
    }


def without_shard(arguments: Facts | None) -> Facts:
    """Return the arguments of a task without the one that says which part of a run it
    is.
    """
    return {name: value for name, value in (arguments or {}).items() if name != "shard"}
