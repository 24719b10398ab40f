"""The shards of one run among logs: the newest attempt at each, and whether together they are the run."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from inspect_ai.log import EvalLog

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_members import read_header, unreadable
from refusalbench_tasks.scale.sample_ids import SampleIds, shared_id

_ARGUMENTS = ("shard", "stream")
"""Arguments of a task that say which part it is, and nothing of the run."""
_NAMED = 5
"""How many are named in a message."""


@dataclass(frozen=True)
class ShardLog:
    """One shard's log: where it is, its header without samples, and the ids of its samples, which the header lacks."""

    name: str
    header: EvalLog
    ids: SampleIds

    @classmethod
    def of_header(cls, name: str, header: EvalLog) -> "ShardLog":
        """Return the log of a header, from which the ids are taken."""
        dataset = header.eval.dataset
        bare = header.model_copy(
            update={"eval": header.eval.model_copy(update={"dataset": dataset.model_copy(update={"sample_ids": None})})}
        )
        return cls(name, bare, SampleIds.of(dataset.sample_ids or ()))

    @property
    def file(self) -> str:
        """Return the name of its file, without the folder."""
        return unquote(self.name.rpartition("/")[2])

    @property
    def shard(self) -> int:
        """Return which shard it is, from 1."""
        return int((self.header.eval.metadata or {})["shard"])

    @property
    def of(self) -> int:
        """Return how many shards there are."""
        return int((self.header.eval.metadata or {})["of"])

    @property
    def finished(self) -> bool:
        """Whether it ended as it should."""
        return self.header.status == "success"


def shard_of(name: str) -> ShardLog | str:
    """Return the log of a shard, or the line that says why it can't be read."""
    try:
        return ShardLog.of_header(name, read_header(name))
    except Exception as error:  # anything can be wrong with a file, and its name must be told
        return str(unreadable(name, error))


@dataclass(frozen=True)
class ShardSet:
    """The current attempt at each shard, in order, and the shards that are missing or unfinished."""

    shards: tuple[ShardLog, ...]
    missing: tuple[int, ...]

    @property
    def of(self) -> int:
        """Return how many shards the run has."""
        return self.shards[0].of


def shard_set(logs: Iterable[ShardLog | tuple[str, EvalLog]], partial: bool = False) -> ShardSet:
    """Return the shards of one run.

    A finished attempt stands for the unfinished ones, else the newest does. Raises DataError for a log that is no
    shard, for shards of more than one run (it names what differs), for a sample in two shards, and, unless `partial`,
    for shards that are missing or unfinished.
    """
    found = [log if isinstance(log, ShardLog) else ShardLog.of_header(*log) for log in logs]
    if not found:
        raise DataError("no logs to merge")
    for log in found:
        if not {"shard", "of", "whole_fingerprint"} <= set(log.header.eval.metadata or {}):
            raise DataError(f"{log.name}: not a shard; it was run without -T shard=i/n")
    first = found[0]
    for log in found[1:]:
        _same_run(first, log)
    current = _current(found)
    _overlaps(current)
    wanted = {log.shard for log in current if log.finished}
    missing = tuple(number for number in range(1, first.of + 1) if number not in wanted)
    if missing and not partial:
        raise DataError(f"{_missing_text(missing, current, first.of)}; run them, or merge what is there with --partial")
    held, whole = sum(len(log.ids) for log in current), (first.header.eval.metadata or {}).get("whole_rows")
    if not missing and held != whole and not partial:
        raise DataError(
            f"the shards hold {held} samples and the run has {whole}; run them without --limit, or --partial"
        )
    return ShardSet(tuple(current), missing)


def run_facts(header: EvalLog) -> dict[str, Any]:
    """Return what must be equal in all shards of a run: what was asked, of whom, on what."""
    spec = header.eval
    about = spec.metadata or {}
    passed = {name: value for name, value in (spec.task_args_passed or {}).items() if name not in _ARGUMENTS}
    return {
        "task": spec.task,
        "task version": spec.task_version,
        "model": spec.model,
        "model roles": {
            role: [one.model for one in (bound if isinstance(bound, list) else [bound])]
            for role, bound in (spec.model_roles or {}).items()
        },
        "solver": spec.solver,
        "task arguments": passed,
        "epochs": spec.config.epochs or 1,
        "generate config": spec.model_generate_config.model_dump(exclude_none=True, exclude={"max_connections"}),
        "number of shards": about.get("of"),
        "rows": about.get("whole_fingerprint"),
        "prompt": about.get("prompt_sha256"),
    }


def _same_run(first: ShardLog, other: ShardLog) -> None:
    one, two = run_facts(first.header), run_facts(other.header)
    for name, value in one.items():
        if two[name] != value:
            raise DataError(
                f"{other.name}: a shard of another run than {first.name}: {name} {two[name]!r}, there {value!r}; "
                "give the logs of one run"
            )


def _current(found: Sequence[ShardLog]) -> list[ShardLog]:
    attempts: dict[int, list[ShardLog]] = defaultdict(list)
    for log in found:
        attempts[log.shard].append(log)
    return [max(attempts[shard], key=lambda log: _attempt(log)) for shard in sorted(attempts)]


def _attempt(log: ShardLog) -> tuple[bool, str, int]:
    """Return what the current attempt at a shard has most of: it is finished, then it is the newest."""
    return log.finished, log.header.eval.created, len(log.ids)


def _overlaps(shards: Sequence[ShardLog]) -> None:
    found = shared_id([(log.name, log.ids) for log in shards])
    if found is not None:
        name, other, log = found
        raise DataError(f"{log} and {other} both have the sample {name!r}; shards don't overlap")


def _missing_text(missing: Sequence[int], current: Sequence[ShardLog], of: int) -> str:
    by_number = {log.shard: log for log in current}
    told = [f"{n} ({by_number[n].header.status})" if n in by_number else str(n) for n in missing[:_NAMED]]
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    return f"of {of} shards {len(missing)} are missing or unfinished: {', '.join(told)}{more}"
