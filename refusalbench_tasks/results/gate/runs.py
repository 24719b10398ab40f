"""The runs that a gate is about: the newest of each task and model."""

from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.logs.find import Logs, read_logs
from refusalbench_tasks.results.logs.run import AnyRun

_HARMLESS = ("not a log of this suite", "a later log continues this run", "an unfinished generation run")
"""The beginnings of the reasons for which a log may be missing in a gate."""


@dataclass(frozen=True)
class Newest:
    """The newest run of each task and model, and the names of the older ones."""

    runs: tuple[AnyRun, ...]
    older: tuple[str, ...]


def newest_runs(paths: Sequence[str]) -> Newest:
    """Return the runs of `nq`, `garage` and `bluff` in files and folders, the newest of each task and model.

    Raises DataError if there is none, and for a log of ours that can't be read or has no score: a gate must not hold
    by an older log because the new one is broken.
    """
    logs = read_logs(paths)
    for name, reason in logs.left_out:
        if not reason.startswith(_HARMLESS):
            raise DataError(f"{name}: {reason}; repair or remove it")
    every = _in_order(logs)
    if not every:
        raise DataError(f"{', '.join(paths)}: no log of {tasks_text('bluff')}")
    newest = {(run.task, run.model): run for run in every}
    names = {run.name for run in newest.values()}
    return Newest(tuple(newest.values()), tuple(run.name for run in every if run.name not in names))


def _in_order(logs: Logs) -> list[AnyRun]:
    runs: list[AnyRun] = [*logs.refusal, *logs.hedging]
    return sorted(runs, key=lambda run: (run.created, run.name))
