"""The systems of a section: runs over the same rows, each with a name, a look and its
numbers.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.metrics.calibration import calibration
from refusalbench_tasks.metrics.frame import cluster_index
from refusalbench_tasks.metrics.hedging import values as hedging_values
from refusalbench_tasks.metrics.refusal import by_group, values
from refusalbench_tasks.metrics.refusal_metrics import OF_CONTROLS, RATES, main_metrics
from refusalbench_tasks.metrics.refusal_shares import other_shares
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.metrics.source_factors import Effect, factor_effects
from refusalbench_tasks.report.looks import Look, looks_of
from refusalbench_tasks.results.careful import careful
from refusalbench_tasks.results.measures import is_share
from refusalbench_tasks.results.names import labels, short_names
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import ClusterIndex, Mask, cluster_sums
from refusalbench_tasks.stats.estimate import Estimate, ratio_estimates
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

BY_PART = (
    "answer_accuracy",
    "refusal_accuracy",
    "false_refusal_rate",
    "missed_refusal_rate",
    "category_accuracy",
)
"""The metrics that parts of the rows have."""
_TASKS = ("nq", "garage", "bluff")


@dataclass(frozen=True)
class ShownSystem:
    """One run as figures and tables have it: a label that no other run of the section
    has, and a look.
    """

    label: str
    look: Look
    run: Run
    _by_group: dict[str, dict[str, dict[str, Estimate]]] = field(default_factory=dict)

    @cached_property
    def rows(self) -> "pd.DataFrame":
        """Return the scored replies that the main metrics are about."""
        rows = main_rows(self.run.replies) if self.run.refusal else self.run.main
        return rows.reset_index(drop=True)

    @cached_property
    def codes(self) -> bool:
        """Return whether refusal codes were asked for."""
        return bool(self.run.replies["codes"].all())

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return the names of the main metrics of runs of this kind."""
        return main_metrics(bool(self.run.replies["grounded"].any()), self.codes)

    @cached_property
    def main(self) -> dict[str, Estimate]:
        """Return every metric of `nq` or `garage` with its CI and n; one that a run of
        this kind lacks is unknown.
        """
        return {
            **dict.fromkeys(RATES, Estimate()),
            **self._careful(values(self.run.replies)),
        }

    @cached_property
    def hedging(self) -> dict[str, Estimate]:
        """Return every metric of `bluff` over the paper's two arms."""
        return self._careful(hedging_values(self.run.replies))

    @cached_property
    def effects(self) -> list[Effect]:
        """Return what each factor of the sources moves; nothing if
        no row tells them.
        """
        return factor_effects(self.run.replies)

    @cached_property
    def clusters(self) -> ClusterIndex:
        """Return the place of what each of `rows` is resampled with."""
        return cluster_index(self.rows)

    @cached_property
    def calibration(self) -> dict[str, Estimate]:
        """Return the calibration of the stated confidence; nothing where none was asked
        for.
        """
        return calibration(self.run.replies)

    @property
    def without_level(self) -> tuple[int, int]:
        """Return how many decided replies state no readable confidence, of those of
        known correctness that should.
        """
        rows = self.run.main
        asked = rows[
            rows["confidence_asked"]
            & rows["right"].notna()
            & (rows["outcome"] == "decided")
        ]
        return int((asked["level"] == "").sum()), len(asked)

    @cached_property
    def shares(self) -> dict[str, Estimate]:
        """Return the shares beside the main metrics: quality of answers, retrieval,
        pairs and quads.
        """
        return self._careful(other_shares(self.run.replies))

    @cached_property
    def of_controls(self) -> dict[str, Estimate]:
        """Return the controls' answer accuracy and false refusal rate; nothing without
        controls.
        """
        controls = self.run.controls
        return (
            self._careful(values(controls, names=OF_CONTROLS)) if len(controls) else {}
        )

    def by_group(
        self, column: str, groups: Sequence[str], metric: str
    ) -> list[Estimate]:
        """Return a metric of the rows of each group, from the same resamples of all
        rows; unknown where it has none.
        """
        if column not in self._by_group:
            self._by_group[column] = by_group(self.run.replies, column, BY_PART)
        return [
            careful(self._by_group[column].get(group, {}).get(metric, Estimate()), True)
            for group in groups
        ]

    def share(self, hit: Mask, among: Mask) -> Estimate:
        """Return the share of rows that are a hit, of those of the mask `among`, with
        its CI and n.
        """
        if not among.any():
            return Estimate()
        cells = np.column_stack([hit & among, among]).astype(float)[among]
        return careful(
            ratio_estimates(["share"], cluster_sums(cells, self.clusters[among]))[
                "share"
            ],
            True,
        )

    def _careful(self, found: Mapping[str, Estimate]) -> dict[str, Estimate]:
        """Return estimates with the CIs that `refusalbench show` has."""
        return {
            name: careful(one, self.run.refusal or is_share(name))
            for name, one in found.items()
        }


@dataclass(frozen=True)
class Group:
    """Runs of one task over the same rows, scored alike, with the names that the
    section gets.
    """

    key: str
    title: str
    systems: tuple[ShownSystem, ...]

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
    def models(self) -> tuple[ShownSystem, ...]:
        """Return the newest run of each model, without baselines: each counts once."""
        plain = (
            one for one in self.systems if not (one.run.baseline or one.run.treatment)
        )
        by_age = sorted(plain, key=lambda one: one.run.created)
        newest = {one.run.model: one.label for one in by_age}
        return tuple(
            one for one in self.systems if newest.get(one.run.model) == one.label
        )


def groups_of(runs: Sequence[Run]) -> list[Group]:
    """Return the runs by task, rows, protocol and list of hedges: `nq` first, then
    `garage`, then `bluff`.

    Runs come by their creation; a model has one name and one look in all groups, and a
    further run of it the next.
    """
    models = list(
        dict.fromkeys(
            run.model for run in sorted(runs, key=lambda run: (run.created, run.name))
        )
    )
    names = short_names(models)
    looks = looks_of(models)
    by_rows: dict[tuple[str, str, str, str], list[Run]] = defaultdict(list)
    for run in runs:
        # equal rows may lie at several paths; where the rows are not known, the path
        # must do
        by_rows[
            run.task,
            run.fingerprint or f"unknown, {run.data}",
            run.protocol,
            run.lexicon,
        ].append(run)
    ordered = sorted(
        by_rows.items(), key=lambda item: (-len(item[1]), _place(item[0][0]), item[0])
    )
    slugs = Counter(_slug(task) for task, *_ in by_rows)
    seen = Counter[str]()
    groups = []
    for (task, _, protocol, lexicon), members in ordered:
        slug = _slug(task)
        seen[slug] += 1
        key = slug if slugs[slug] == 1 else f"{slug}.{seen[slug]}"
        title = (
            f"{task} on {_places(members)} ({len(members)}"
            f" {'run' if len(members) == 1 else 'runs'})"
        )
        if slugs[slug] > 1:
            title = f"{key}: {title}, rows {members[0].fingerprint[:8] or 'unknown'}"
        if len({one[2] for one in by_rows}) > 1:
            title += f", scored by {protocol}"
        if len({one[3] for one in by_rows if one[0] == task}) > 1:
            title += f", hedges counted by {lexicon or 'an unknown list'}"
        members = sorted(members, key=lambda run: models.index(run.model))
        groups.append(Group(key, title, _systems(members, names, looks)))
    return groups


def _systems(
    runs: Sequence[Run], names: Mapping[str, str], looks: Mapping[str, Look]
) -> tuple[ShownSystem, ...]:
    taken = set[int]()
    found = []
    for label, run in zip(labels(runs, names), runs, strict=True):
        number = looks[run.model].number
        if number in taken:
            number = max(*(one.number for one in looks.values()), *taken) + 1
        taken.add(number)
        found.append(ShownSystem(label, Look(number), run))
    return tuple(found)


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
