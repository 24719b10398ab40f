"""Shards as tasks of a Ray cluster, each an `inspect` process of its own."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.work_list import WorkList

# -P: no module of the folder in which it runs; the root of a checkout has a `datasets` of its own
INSPECT = (sys.executable, "-P", "-m", "inspect_ai")
PATIENCE = 60
"""Seconds in which a stopped shard must have written its log."""
MOST_FAILURES = 3
"""So many shards that fail one after the other, and no other is begun: they would all fail."""
_RETRIES = 3


@dataclass(frozen=True)
class Resources:
    """What a shard takes of a node, its connections to a provider, its folder and its further environment."""

    cpus: float
    gpus: float
    connections: int | None
    folder: str
    environment: Mapping[str, str]


@dataclass(frozen=True)
class ShardOutcome:
    """What came of the work on a shard. `reason` says why it is not finished."""

    shard: int
    finished: bool
    samples: int
    seconds: float
    reason: str = ""


def run_shard(work: WorkList, resources: Resources, shard: int) -> ShardOutcome:
    """Work on a shard unless it is finished: whoever does that a second time, after a loss, goes on from the logs."""
    start = time.monotonic()
    done = [log for log in work.attempts(shard) if log.finished]
    said = ""
    if not done:
        said = _inspect(work.command(shard, resources.connections), resources)
        done = [log for log in work.attempts(shard) if log.finished]
    if done:
        return ShardOutcome(shard, True, done[-1].completed(), time.monotonic() - start)
    newest = max(work.attempts(shard), key=lambda log: log.header.eval.created, default=None)
    error = newest.header.error if newest else None
    reason = " ".join(error.message.split())[:300] if error else newest.header.status if newest else said
    return ShardOutcome(shard, False, newest.completed() if newest else 0, time.monotonic() - start, reason)


def _inspect(arguments: Sequence[str], resources: Resources) -> str:
    """Run `inspect` and return the last line that it wrote; an exception (Ctrl-C) asks it to end and waits for it."""
    place = resources.folder if Path(resources.folder).is_dir() else None
    process = subprocess.Popen(
        [*INSPECT, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=place,
        env=os.environ | dict(resources.environment), start_new_session=True, preexec_fn=_prepare,
    )  # fmt: skip
    try:
        text, _ = process.communicate()
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    lines = text.decode(errors="replace").strip().splitlines()
    return " ".join(lines[-1].split())[:300] if lines else f"inspect ended with status {process.returncode}"


def _prepare() -> None:
    """Let the process hear Ctrl-C, which Ray blocks in its workers; on Linux it is killed when the worker is."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if sys.platform == "linux":
        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def connect(address: str | None) -> None:
    """Connect to a Ray cluster; without an address, to one that runs here or a new one. Raises DataError."""
    ray = _ray()
    if ray.is_initialized():
        return
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except Exception as error:  # Ray raises bare ones, as for a node that takes too long to start
        text = " ".join(str(error).split())[:200]
        where = f"no cluster at {address}" if address else "it did not start here"
        raise DataError(f"Ray: {where} ({text}); try again, or name a cluster with --address") from None


def room(cpus: float, gpus: float) -> int:
    """Return how many shards the cluster has room for at once, at least 1."""
    total = _ray().cluster_resources()
    needs = {"CPU": cpus, "GPU": gpus}
    return max(1, int(min((total.get(name, 0.0) / need for name, need in needs.items() if need), default=1)))


def run_shards(
    work: WorkList, shards: Sequence[int], resources: Resources, at_once: int, tell: Callable[[ShardOutcome], object]
) -> int:
    """Work on the shards, at most `at_once` at a time, and return how many were not begun.

    Ray begins a shard again on another node if its node is lost. After `MOST_FAILURES` in a row no other is begun.
    Whatever ends this, Ctrl-C too, stops the work on all and waits for their logs.
    """
    ray = _ray()
    task = ray.remote(num_cpus=resources.cpus, num_gpus=resources.gpus, max_retries=_RETRIES)(run_shard)
    waiting, failures = deque(shards), 0
    running: dict[Any, int] = {}
    try:
        while running or (waiting and failures < MOST_FAILURES):
            while waiting and len(running) < at_once and failures < MOST_FAILURES:
                shard = waiting.popleft()
                running[task.remote(work, resources, shard)] = shard
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            outcome = _outcome(ray, done, running.pop(done))
            failures = 0 if outcome.finished else failures + 1
            tell(outcome)
    except BaseException:
        for one in running:
            ray.cancel(one, force=False)
        if running:
            ray.wait(list(running), num_returns=len(running), timeout=PATIENCE)
        raise
    return len(waiting)


def _outcome(ray: Any, done: Any, shard: int) -> ShardOutcome:
    try:
        outcome: ShardOutcome = ray.get(done)
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return ShardOutcome(shard, False, 0, 0.0, " ".join(lines[-1].split())[:300])
    return outcome


def _ray() -> Any:
    # Ray would tell its makers of every cluster that is started
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        raise DataError(f"cluster: needs {error.name}; pip install 'refusalbench-tasks[cluster]'") from None
    return ray
