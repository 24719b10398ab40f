"""The systems of a section: runs that stand in one table, each with a name and a
look.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from refusalbench_tasks.report.styles import Look, looks_of
from refusalbench_tasks.results.labels import labels, short_names
from refusalbench_tasks.results.run_view import GroupKey, RunView
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

_TASKS = ("nq", "garage", "bluff")


@dataclass(frozen=True, kw_only=True)
class SystemView(RunView):
    """One run as figures and tables have it: a label that no other run of the section
    has, and a look.
    """

    look: Look


@dataclass(frozen=True)
class Group:
    """Runs of one task over the same rows, scored alike, with the names that the
    section gets.
    """

    key: str
    title: str
    systems: tuple[SystemView, ...]

    @property
    def task(self) -> str:
        """Return the task of the runs."""
        return self.systems[0].run.task

    @property
    def looks(self) -> dict[str, Look]:
        """Return the look of each label."""
        return {system.label: system.look for system in self.systems}

    @cached_property
    def rows(self) -> "pd.DataFrame":
        """Return the rows that any run was given, each once: without controls, if
        others are answerable too.
        """
        import pandas as pd

        every = pd.concat(
            [
                part
                for one in self.systems
                for part in (one.run.replies, one.run.lost)
                if len(part)
            ]
        )
        known = every[every["expected"] != ""].drop_duplicates("sample_id")
        others = known[~known["control"]]
        return others if (others["expected"] == Label.ANSWER.value).any() else known

    @property
    def models(self) -> tuple[SystemView, ...]:
        """Return the newest run of each model, without baselines: each counts once."""
        plain = (
            system
            for system in self.systems
            if not (system.run.baseline or system.run.treatment)
        )
        by_age = sorted(plain, key=lambda system: system.run.created)
        newest = {system.run.model: system.label for system in by_age}
        return tuple(
            system
            for system in self.systems
            if newest.get(system.run.model) == system.label
        )

    @property
    def warnings(self) -> list[str]:
        """Return what a reader must be told before the numbers."""
        warnings = []
        for system in self.systems:
            warnings += [f"{system.label}: {text}" for text in system.warnings]
        graders = {system.run.graders for system in self.systems} - {frozenset()}
        if len(graders) > 1:
            warnings.append(
                "The runs were graded by different models; a difference may be theirs."
            )
        if not all(system.run.fingerprint for system in self.systems):
            warnings.append(
                "A run does not say which rows it was given; whether the runs share"
                " their rows is not known."
            )
        return warnings


def groups_of(runs: Sequence[Run]) -> list[Group]:
    """Return the runs by what those of one table have in common: `nq` first, then
    `garage`, then `bluff`.

    Runs come by their creation; a model has one name and one look in all groups, and a
    further run of it the next.
    """
    by_age = sorted(runs, key=lambda run: (run.created, run.name))
    models = list(dict.fromkeys(run.model for run in by_age))
    names = short_names(models)
    looks = looks_of(models)
    by_key: dict[GroupKey, list[Run]] = defaultdict(list)
    for run in runs:
        by_key[RunView(run).group_key].append(run)
    ordered = sorted(
        by_key.items(), key=lambda item: (-len(item[1]), _place(item[0].task), item[0])
    )
    slugs = Counter(_slug(key.task) for key in by_key)
    seen = Counter[str]()
    groups = []
    for key, members in ordered:
        slug = _slug(key.task)
        seen[slug] += 1
        name = slug if slugs[slug] == 1 else f"{slug}.{seen[slug]}"
        runs_text = f"{len(members)} {'run' if len(members) == 1 else 'runs'}"
        title = f"{key.task} on {_places(members)} ({runs_text})"
        if slugs[slug] > 1:
            title = f"{name}: {title}, rows {members[0].fingerprint[:8] or 'unknown'}"
        title += key.told_apart(by_key)
        members.sort(key=lambda run: models.index(run.model))
        groups.append(Group(name, title, _systems(members, names, looks)))
    return groups


def _systems(
    runs: Sequence[Run], names: Mapping[str, str], looks: Mapping[str, Look]
) -> tuple[SystemView, ...]:
    taken = set[int]()
    systems = []
    for label, run in zip(labels(runs, names), runs, strict=True):
        number = looks[run.model].number
        if number in taken:
            number = max(*(look.number for look in looks.values()), *taken) + 1
        taken.add(number)
        systems.append(SystemView(run, label, look=Look(number)))
    return tuple(systems)


def _place(task: str) -> int:
    return _TASKS.index(task) if task in _TASKS else len(_TASKS)


def _places(runs: Sequence[Run]) -> str:
    """Return where the runs had their rows from: the first place, and how many others
    there are.
    """
    first, *others = dict.fromkeys(run.data or "unknown data" for run in runs)
    return (
        f"{first} and {len(others)} other {'path' if len(others) == 1 else 'paths'}"
        if others
        else first
    )


def _slug(task: str) -> str:
    """Return a task's name as it can stand in file names and links; without a dot,
    which numbers sections.
    """
    return re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")[:60] or "task"
