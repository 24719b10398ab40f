"""Shards as tasks of a Ray cluster, each an `inspect` process of its own."""

import ctypes
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line

from .work_list import WorkList

# -P: no module of the folder in which it runs; the root of a checkout has a `datasets`
# of its own
_INSPECT = (sys.executable, "-P", "-m", "inspect_ai")
_PATIENCE = 60
"""Seconds in which a stopped shard must have written its log."""


def run_shard(
    work: WorkList,
    environment: Mapping[str, str],
    shard: int,
) -> str:
    """Work on a shard, in the folder that the environment has as PWD, and return why it
    is not finished, "" if it is.

    Whoever does that a second time, after a loss, goes on from the logs.
    """
    if work.finished(shard):
        return ""
    problem = _inspect(work.command(shard), environment)
    if work.finished(shard):
        return ""
    attempts = work.attempts(shard)
    if attempts:
        newest = max(attempts, key=lambda log: log.header.eval.created).header
        problem = newest.error.message if newest.error else problem
    return one_line(problem)[:300] or "not finished"


def _inspect(
    arguments: Sequence[str],
    environment: Mapping[str, str],
) -> str:
    """Run `inspect` and return the last line that it wrote; an exception (Ctrl-C) asks
    it to end and waits for it.
    """
    process = subprocess.Popen(
        [*_INSPECT, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=environment["PWD"] if Path(environment["PWD"]).is_dir() else None,
        env=os.environ | dict(environment),
        start_new_session=True,
        preexec_fn=_prepare,
    )
    try:
        text, _ = process.communicate()
    except BaseException:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
        process.kill()
        raise
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"inspect ended with status {process.returncode}"


def _prepare() -> None:
    """Let the process hear Ctrl-C, which Ray blocks in its workers; on Linux it is
    killed when the worker is.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # 1: PR_SET_PDEATHSIG


def connected(address: str | None) -> Any:
    """Return Ray, connected to a cluster; without an address, to one that runs here or
    a new one.

    Raises DataError.
    """
    # Ray would tell its makers of every cluster that is started
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        raise DataError(
            f"cluster: needs {error.name}; pip install 'refusalbench-tasks[cluster]'"
        ) from None
    try:
        ray.init(
            address=address,
            log_to_driver=False,
            logging_level=logging.ERROR,
            ignore_reinit_error=True,
        )
    except Exception as error:
        # Ray raises bare ones, as for a node that takes too long to start
        where = f"no cluster at {address}" if address else "it did not start here"
        raise DataError(
            f"Ray: {where} ({str(error)[:200]}); try again, or name a cluster with"
            " --address"
        ) from None
    return ray


def run_shards(
    ray: Any,
    work: WorkList,
    shards: Sequence[int],
    needs: Mapping[str, float],
    environment: Mapping[str, str],
) -> list[int]:
    """Work on the shards, tell of each when it ends, and return those that are not
    finished; `needs` are Ray's.

    Ray begins as many at once as the cluster has room for, and a shard again on another
    node if its node is lost. Whatever ends this, Ctrl-C too, stops the work on all and
    waits for their logs.
    """
    task = ray.remote(max_retries=3, **needs)(run_shard)
    running = {task.remote(work, environment, shard): shard for shard in shards}
    failed = []
    try:
        while running:
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            shard = running.pop(done)
            reason = _reason(ray, done)
            click.echo(
                f"shard {shard} of {work.shards}: {reason or 'finished'}", err=True
            )
            if reason:
                failed.append(shard)
    except BaseException:
        for future in running:
            ray.cancel(future, force=False)
        if running:
            ray.wait(
                list(running),
                num_returns=len(running),
                timeout=_PATIENCE,
            )
        raise
    return sorted(failed)


def _reason(ray: Any, done: Any) -> str:
    try:
        return str(ray.get(done))
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines()
        return lines[-1][:300] if lines else type(error).__name__
