"""Which runs of a report stand together: those of one task over the same rows."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun

_TASKS = tuple(benchmark.task for benchmark in BENCHMARKS)
SomeRun = TypeVar("SomeRun", RefusalRun, HedgingRun)


@dataclass(frozen=True)
class RunGroup(Generic[SomeRun]):
    """Runs of one task over the same rows, with the names that the section gets."""

    key: str
    title: str
    runs: tuple[SomeRun, ...]


def run_groups(runs: Sequence[SomeRun], models: Sequence[str]) -> list[RunGroup[SomeRun]]:
    """Return the runs by task, rows, protocol and list of hedges, the largest group first.

    The runs of a group are in the order of the models.
    """
    by_rows: dict[tuple[str, str, str, str], list[SomeRun]] = defaultdict(list)
    for run in runs:
        # equal rows may lie at several paths; where the rows are not known, the path must do
        rows = run.fingerprint or f"unknown, {run.data}"
        by_rows[run.task, rows, run.protocol, run.lexicon].append(run)
    tasks = Counter(_slug(task) for task, *_ in by_rows)
    seen: Counter[str] = Counter()
    groups = []
    for (task, _, protocol, lexicon), members in sorted(
        by_rows.items(), key=lambda item: (-len(item[1]), _place(item[0][0]), item[0])
    ):
        slug = _slug(task)
        seen[slug] += 1
        key = slug if tasks[slug] == 1 else f"{slug}.{seen[slug]}"
        title = f"{task} on {_places(members)} ({len(members)} {'run' if len(members) == 1 else 'runs'})"
        if tasks[slug] > 1:
            title = f"{key}: {title}, rows {members[0].fingerprint[:8] or 'unknown'}"
        if len({name[2] for name in by_rows}) > 1:
            title += f", scored by {protocol}"
        if len({name[3] for name in by_rows if name[0] == task}) > 1:
            title += f", hedges counted by {lexicon or 'an unknown list'}"
        groups.append(RunGroup(key, title, tuple(sorted(members, key=lambda run: models.index(run.model)))))
    return groups


def _place(task: str) -> int:
    """Return the place of a task: in the order of the benchmarks, any other after them."""
    return _TASKS.index(task) if task in _TASKS else len(_TASKS)


def _places(runs: Sequence[AnyRun]) -> str:
    """Return where the runs had their rows from: the first place, and how many others there are."""
    first, *others = dict.fromkeys(run.data or "unknown data" for run in runs)
    return f"{first} and {len(others)} other {'path' if len(others) == 1 else 'paths'}" if others else first


def _slug(task: str) -> str:
    """Return a task's name as it can stand in file names and links; without a dot, which numbers sections."""
    return re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")[:60] or "task"
