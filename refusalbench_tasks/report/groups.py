"""The systems of a section: runs that stand in one table, each with a name and a
look.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from refusalbench_tasks.results.labels import labels, short_names
from refusalbench_tasks.results.log_files import NO_MODEL
from refusalbench_tasks.results.run_view import GroupKey, RunView
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Label

from .styles import Look, Looks, looks_of

_TASKS = ("nq", "garage", "search", "bluff")


@dataclass(frozen=True, kw_only=True)
class SystemView(RunView):
    """One run as figures and tables have it: a label that no other run of the section
    has, and a look.
    """

    look: Look

    @property
    def own(self) -> bool:
        """Return whether this is an application of one's own: not a model, and not
        asked for codes, of which an application knows nothing.
        """
        run = self.run
        by_application = run.header.eval.model == NO_MODEL and not run.baseline
        return run.refusal and by_application and not self.codes


@dataclass(frozen=True)
class Group:
    """Runs of one task over the same rows, scored alike, with the names that the
    section gets.
    """

    key: str
    title: str
    systems: Sequence[SystemView]

    @property
    def task(self) -> str:
        """Return the task of the runs."""
        return self.systems[0].run.task

    @cached_property
    def rows(self) -> "pd.DataFrame":
        """Return the rows that any run was given, each once: without controls, if
        others are answerable too.
        """
        parts = []
        for system in self.systems:
            parts += [system.run.replies, system.run.lost]
        every = pd.concat([part for part in parts if len(part)])
        known = every[every["expected"] != ""].drop_duplicates("sample_id")
        others = known[~known["control"]]
        return others if (others["expected"] == Label.ANSWER).any() else known

    @property
    def models(self) -> list[SystemView]:
        """Return the newest run of each model, without baselines: each counts once."""
        newest = {}
        for system in self.by_age:
            if not (system.run.baseline or system.run.treatment):
                newest[system.run.model] = system
        return [
            system for system in self.systems if newest.get(system.run.model) is system
        ]

    @cached_property
    def own(self) -> bool:
        """Return whether all that is no baseline is a system of one's own."""
        return bool(self.models) and all(system.own for system in self.models)

    @cached_property
    def shown(self) -> list[SystemView]:
        """Return the systems that are told of: of those of one's own the newest run of
        each.
        """
        return self.models if self.own else list(self.systems)

    @property
    def by_age(self) -> list[SystemView]:
        """Return the systems, the oldest run first."""
        return sorted(self.systems, key=lambda system: system.run.created)

    def before(self, system: SystemView) -> SystemView | None:
        """Return the last run of a system before one on the same rows; None without."""
        earlier = [
            other
            for other in self.by_age
            if other.run.model == system.run.model
            and other.run.created < system.run.created
        ]
        return next(reversed(earlier), None)

    @property
    def warnings(self) -> list[str]:
        """Return what a reader must be told before the numbers."""
        warnings = []
        for system in self.shown:
            warnings += [f"{system.label}: {text}" for text in system.warnings]
        graders = {system.run.graders for system in self.systems if system.run.graders}
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
    """Return the runs by what those of one table have in common, most runs first, then
    `nq`, `garage`, `search` and `bluff`.

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
    slugs = Counter(_slug(key.task) for key in by_key)
    seen = Counter[str]()
    groups = []
    for key in sorted(
        by_key, key=lambda key: (-len(by_key[key]), _rank(key.task), key)
    ):
        members = by_key[key]
        slug = _slug(key.task)
        seen[slug] += 1
        runs_text = f"{len(members)} {'run' if len(members) == 1 else 'runs'}"
        data, *others = dict.fromkeys(run.data or "unknown data" for run in members)
        if others:
            paths = "path" if len(others) == 1 else "paths"
            data += f" and {len(others)} other {paths}"
        title = f"{key.task} on {data} ({runs_text})"
        if slugs[slug] > 1:
            slug = f"{slug}.{seen[slug]}"
            title = f"{slug}: {title}, rows {members[0].fingerprint[:8] or 'unknown'}"
        title += key.told_apart(by_key)
        members.sort(key=lambda run: models.index(run.model))
        groups.append(
            Group(
                slug,
                title,
                _systems(members, names, looks),
            )
        )
    return groups


def _systems(
    runs: Sequence[Run], names: Mapping[str, str], looks: Looks
) -> list[SystemView]:
    numbers = [look.number for look in looks.values()]
    taken = set[int]()
    newest = {run.model: run for run in sorted(runs, key=lambda run: run.created)}
    systems = []
    for label, run in zip(
        labels(runs, names),
        runs,
        strict=True,
    ):
        number = looks[run.model].number
        if number in taken:
            number = max(*numbers, *taken) + 1
        taken.add(number)
        system = SystemView(run, label, look=Look(number))
        if system.own and newest[run.model] is run:
            # the others are shown beside it, by their date
            system = replace(system, label=names[run.model])
        systems.append(system)
    return systems


def _rank(task: str) -> int:
    return _TASKS.index(task) if task in _TASKS else len(_TASKS)


def _slug(task: str) -> str:
    """Return a task's name as it can stand in file names and links; without a dot,
    which numbers sections.
    """
    return re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")[:60] or "task"
