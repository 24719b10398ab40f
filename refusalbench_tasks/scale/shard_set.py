"""The shards of one run among logs: the current attempt at each, and whether together they are the run."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log_sample_summaries

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import UnreadableLog, read_header
from refusalbench_tasks.scale.store import exists

_NAMED = 5
"""How many shards are named in a message."""


@dataclass(frozen=True)
class ShardLog:
    """One shard's log: where it is, and its header without samples."""

    name: str
    header: EvalLog

    @property
    def file(self) -> str:
        """Return the name of its file, without the folder."""
        return unquote(self.name.rpartition("/")[2])

    @property
    def facts(self) -> dict[str, Any]:
        """Return what the task noted of its part and of the whole."""
        return self.header.eval.metadata or {}

    @property
    def shard(self) -> int:
        """Return which shard it is, from 1."""
        return int(self.facts["shard"])

    @property
    def ids(self) -> list[int | str]:
        """Return the ids of its samples."""
        return list(self.header.eval.dataset.sample_ids or ())

    @property
    def finished(self) -> bool:
        """Whether it ended as it should."""
        return self.header.status == "success"

    @property
    def planned(self) -> int:
        """Return how many samples it was to have, each epoch counted."""
        return len(self.ids) * (self.header.eval.config.epochs or 1)

    def completed(self) -> int:
        """Return how many samples are finished in it; 0 where that can't be read, so that nothing goes on from it."""
        if self.finished:
            return self.header.results.completed_samples if self.header.results else 0
        try:
            return sum(one.completed and not one.error for one in read_eval_log_sample_summaries(self.name))
        except Exception:  # anything can be wrong with a file that was not finished
            return 0


def shard_logs(places: Iterable[str], damaged: bool = False) -> list[ShardLog]:
    """Return the logs in files and folders; with `damaged`, what can't be read is passed over, since its process died.

    Raises DataError for a place that does not exist and a log that can't be read.
    """
    found = []
    for place in places:
        if not exists(place):
            raise DataError(f"{place}: there is no such file or folder")
        for info in list_eval_logs(place, descending=False):
            try:
                found.append(ShardLog(info.name, read_header(info.name)))
            except UnreadableLog:
                if not damaged:
                    raise
    return found


@dataclass(frozen=True)
class ShardSet:
    """The current attempt at each shard, in order, and the shards that are missing or unfinished."""

    shards: tuple[ShardLog, ...]
    missing: tuple[int, ...]
    of: int


def shard_set(logs: Sequence[ShardLog], partial: bool = False) -> ShardSet:
    """Return the shards of one run; a finished attempt stands for the unfinished ones, else the newest does.

    Raises DataError for a log that is no shard, for shards of more than one run (it names what differs), for a sample
    in two shards, and, unless `partial`, for shards that are missing, unfinished, or hold fewer samples than they say.
    """
    if not logs:
        raise DataError("no logs to merge")
    for log in logs:
        if not {"shard", "of", "whole_fingerprint"} <= set(log.facts):
            raise DataError(f"{log.name}: not a shard; it was run without -T shard=i/n")
        _same_run(logs[0], log)
    attempts: dict[int, list[ShardLog]] = defaultdict(list)
    for log in logs:
        attempts[log.shard].append(log)
    current = [max(attempts[shard], key=_rank) for shard in sorted(attempts)]
    _overlaps(current)
    of = int(logs[0].facts["of"])
    finished = {log.shard for log in current if log.finished}
    missing = tuple(number for number in range(1, of + 1) if number not in finished)
    if not partial:
        _complete(current, missing, of)
    return ShardSet(tuple(current), missing, of)


def _rank(log: ShardLog) -> tuple[bool, str, int]:
    return log.finished, log.header.eval.created, len(log.ids)


def _complete(current: Sequence[ShardLog], missing: Sequence[int], of: int) -> None:
    if missing:
        status = {log.shard: log.header.status for log in current}
        names = [f"{n} ({status[n]})" if n in status else str(n) for n in missing[:_NAMED]]
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        raise DataError(
            f"of {of} shards {len(missing)} are missing or unfinished: {', '.join(names)}{more}; run them, or merge "
            "what is there with --partial"
        )
    for log in current:
        # each sample has a summary, so that samples that were taken out of a log are missed
        held = len(read_eval_log_sample_summaries(log.name))
        if held != log.planned:
            raise DataError(f"{log.name}: holds {held} of its {log.planned} samples; run the shard again")
    held, whole = sum(len(log.ids) for log in current), current[0].facts.get("whole_rows")
    if held != whole:
        raise DataError(f"the shards hold {held} rows and the run has {whole}; run them without --limit")


def run_facts(header: EvalLog) -> dict[str, Any]:
    """Return what must be equal in all shards of a run: what was asked, of whom, on what, by which version."""
    spec, about = header.eval, header.eval.metadata or {}
    return {
        "task": spec.task,
        "task version": spec.task_version,
        "version of the suite": spec.packages.get("refusalbench-tasks"),
        "model": spec.model,
        "model roles": {
            role: [one.model for one in (bound if isinstance(bound, list) else [bound])]
            for role, bound in (spec.model_roles or {}).items()
        },
        "solver": spec.solver,
        "task arguments": without_shard(spec.task_args_passed),
        "epochs": spec.config.epochs or 1,
        "generate config": spec.model_generate_config.model_dump(exclude_none=True, exclude={"max_connections"}),
        "number of shards": about.get("of"),
        "rows": about.get("whole_fingerprint"),
        "prompt": about.get("prompt_sha256"),
    }


def without_shard(arguments: dict[str, Any] | None) -> dict[str, Any]:
    """Return the arguments of a task without the one that says which part of a run it is."""
    return {name: value for name, value in (arguments or {}).items() if name != "shard"}


def _same_run(first: ShardLog, other: ShardLog) -> None:
    one, two = run_facts(first.header), run_facts(other.header)
    for name, value in one.items():
        if two[name] != value:
            raise DataError(
                f"{other.name}: a shard of another run than {first.name}: {name} {two[name]!r}, there {value!r}; "
                "give the logs of one run"
            )


def _overlaps(shards: Sequence[ShardLog]) -> None:
    seen: dict[int | str, ShardLog] = {}
    for log in shards:
        for name in log.ids:
            other = seen.setdefault(name, log)
            if other is not log:
                raise DataError(f"{log.name} and {other.name} both have the sample {name!r}; shards don't overlap")
