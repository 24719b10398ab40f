"""Shards as tasks of a Ray cluster."""

from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.guard import PATIENCE
from refusalbench_tasks.scale.resources import Resources
from refusalbench_tasks.scale.shard_run import Outcome, Setting, run_shard
from refusalbench_tasks.scale.work_list import WorkList


def connect(address: str | None) -> bool:
    """Connect to a Ray cluster and return whether this did it; without an address, one that runs here or a new one.

    Raises DataError if Ray is missing or can't be reached.
    """
    ray = _ray()
    if ray.is_initialized():
        return False
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except Exception as error:  # Ray raises bare ones, as for a node that takes too long to start
        told = " ".join(str(error).split())[:200]
        where = f"no cluster at {address}" if address else "it did not start here"
        advice = "try again, name a cluster with --address, or use --local-processes N"
        raise DataError(f"Ray: {where} ({told}); {advice}") from None
    return True


def disconnect() -> None:
    """Leave the Ray cluster; one that was started here ends."""
    _ray().shutdown()


def room(resources: Resources) -> int:
    """Return how many shards the cluster has room for at once, at least 1."""
    total = _ray().cluster_resources()
    asked = {"CPU": resources.cpus, "GPU": resources.gpus}
    return max(1, int(min((total.get(name, 0.0) / need for name, need in asked.items() if need), default=1)))


class RayRunner:
    """A Ray task for each shard; Ray begins it again on another node if its node is lost."""

    def __init__(self, work: WorkList, setting: Setting, resources: Resources) -> None:
        self._ray = _ray()
        self._work, self._setting = work, setting
        self._task = self._ray.remote(num_cpus=resources.cpus, num_gpus=resources.gpus, max_retries=resources.retries)(
            run_shard
        )
        self._running: dict[Any, int] = {}

    def start(self, shard: int) -> None:
        """Begin to work on a shard."""
        self._running[self._task.remote(self._work, self._setting, shard)] = shard

    def wait(self) -> Outcome:
        """Return what came of the next shard that ends."""
        (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
        shard = self._running.pop(done)
        try:
            outcome: Outcome = self._ray.get(done)
        except self._ray.exceptions.RayError as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            return Outcome(shard, False, 0, 0.0, " ".join(lines[-1].split())[:300])
        return outcome

    def stop(self) -> None:
        """End the tasks as Ctrl-C does, and wait for their logs; what does not end is killed."""
        left = list(self._running)
        for task in left:
            self._ray.cancel(task, force=False)
        if left:
            _, left = self._ray.wait(left, num_returns=len(left), timeout=PATIENCE)
        for task in left:
            self._ray.cancel(task, force=True)


def _ray() -> Any:
    import os

    # Ray would tell its makers of every cluster that is started
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        raise DataError(
            f"cluster: needs {error.name}; pip install 'refusalbench-tasks[cluster]', or use --local-processes N"
        ) from None
    return ray
