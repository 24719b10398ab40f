"""The work on one shard, wherever it is done: go on from what is there, in a process of its own."""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event

from refusalbench_tasks.scale.attempts import attempts_of, shard_logs
from refusalbench_tasks.scale.child import run_command
from refusalbench_tasks.scale.command_line import shard_command
from refusalbench_tasks.scale.standing import Standing, standings
from refusalbench_tasks.scale.work_list import WorkList

Run = Callable[[Sequence[str]], tuple[int, str]]
"""Runs `inspect` with arguments; returns its exit status and the last line that it wrote."""

INSPECT = (sys.executable, "-P", "-m", "inspect_ai")
"""The command `inspect`, which takes no module from the folder in which it runs: the root of a checkout has its own."""


@dataclass(frozen=True)
class Setting:
    """What a shard's process gets beside its work: connections, variables of the environment, and a folder."""

    connections: int | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of the work on a shard. `reason` says why it is not finished."""

    shard: int
    finished: bool
    samples: int
    seconds: float
    reason: str = ""


def run_shard(work: WorkList, setting: Setting, shard: int, stopped: Event | None = None) -> Outcome:
    """Work on a shard with `inspect`, in a process of its own; see `finish`."""

    def run(arguments: Sequence[str]) -> tuple[int, str]:
        return run_command([*INSPECT, *arguments], setting.environment, setting.folder, stopped)

    return finish(work, setting.connections, shard, run)


def finish(work: WorkList, connections: int | None, shard: int, run: Run) -> Outcome:
    """Work on a shard unless it is finished: whoever does that a second time, after a loss, goes on from the logs."""
    start, before = time.monotonic(), _standing(work, shard)
    if before.finished:
        return Outcome(shard, True, before.samples, 0.0)
    status, said = run(shard_command(work, before, connections))
    after = _standing(work, shard)
    reason = "" if after.finished else _reason(work, shard) or said or f"inspect ended with status {status}"
    return Outcome(shard, after.finished, after.samples, time.monotonic() - start, reason)


def _standing(work: WorkList, shard: int) -> Standing:
    attempts = attempts_of(shard_logs(work.folder_of(shard)))
    return standings(attempts, work.shards)[shard - 1]


def _reason(work: WorkList, shard: int) -> str:
    """Return what the newest log of a shard says of its end."""
    logs = shard_logs(work.folder_of(shard))
    newest = max(logs, key=lambda log: log.header.eval.created, default=None)
    if newest is None:
        return ""
    error = newest.header.error
    return " ".join(error.message.split())[:300] if error else newest.header.status
