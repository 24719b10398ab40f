"""Logs of runs that were killed and continued."""

from collections import defaultdict
from collections.abc import Iterable


def superseded(files: Iterable[tuple[str, str, str, str]]) -> set[str]:
    """Return the unfinished logs of task runs that have a finished, or a later unfinished, one.

    A file is its name, the id of its task run, its status, and when it was created.
    """
    runs: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for name, task_id, status, created in files:
        runs[task_id].append((created, name, status))
    result: set[str] = set()
    for attempts in runs.values():
        unfinished = sorted((created, name) for created, name, status in attempts if status != "success")
        done = len(unfinished) < len(attempts)
        result |= {name for _, name in (unfinished if done else unfinished[:-1])}
    return result
