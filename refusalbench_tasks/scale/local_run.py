"""Shards as processes of this machine."""

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event

from refusalbench_tasks.scale.shard_run import Outcome, Setting, run_shard
from refusalbench_tasks.scale.work_list import WorkList


class LocalRunner:
    """A thread for each shard, which waits for the shard's process."""

    def __init__(self, work: WorkList, setting: Setting, processes: int) -> None:
        self._work, self._setting = work, setting
        self._pool = ThreadPoolExecutor(processes)
        self._stopped = Event()
        self._running: set[Future[Outcome]] = set()

    def start(self, shard: int) -> None:
        """Begin to work on a shard."""
        self._running.add(self._pool.submit(run_shard, self._work, self._setting, shard, self._stopped))

    def wait(self) -> Outcome:
        """Return what came of the next shard that ends."""
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        first = done.pop()
        self._running.remove(first)
        return first.result()

    def stop(self) -> None:
        """End the processes and wait for their logs."""
        self._stopped.set()
        self._pool.shutdown(cancel_futures=True)
