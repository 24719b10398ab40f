"""The sections of a report, made by all cores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from refusalbench_tasks.report.comparisons import comparison_table
from refusalbench_tasks.report.one_section import (
    BESIDE_TASKS,
    Counted,
    Section,
    beside_section,
    generation_section,
    hedging_section,
    made_sections,
    nothing_beside,
    refusal_section,
)
from refusalbench_tasks.report.run_groups import RunGroup, run_groups
from refusalbench_tasks.results.logs.find import Logs
from refusalbench_tasks.results.logs.model_names import short_names
from refusalbench_tasks.results.logs.parallel import Helpers, as_they_come
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun
from refusalbench_tasks.results.logs.run_labels import labels
from refusalbench_tasks.tables import Table

__all__ = ["Section", "sections"]

_MANY = 3_000
"""From so many rows on, other processes share the work."""
_Part = tuple[str, int, int]
"""A part of the work: what is made, and of which groups of runs."""


def sections(
    logs: Logs, helpers: Helpers | None = None, made: Callable[[Section], object] = lambda _: None
) -> list[Section]:
    """Return one section per task and data set, those with most runs first, then the generation runs.

    After those of the refusal kind stand the models that have runs of both `nq` and `garage`, if there are some. A
    model has one short name, one place in the order, one colour and one marker in all of them.

    Of many rows `helpers` make them, and each is told to `made` as soon as its figures are there, for others to follow.
    """
    if helpers is None:
        with Helpers() as new:
            return sections(logs, new, made)
    every: list[AnyRun] = [*logs.refusal, *logs.hedging]
    names = short_names([run.model for run in sorted(every, key=lambda run: (run.created, run.name))])
    work = _Work(run_groups(logs.refusal, list(names)), run_groups(logs.hedging, list(names)), names)
    parts = list(work.parts)
    many = sum(len(run.rows) for run in every) >= _MANY
    helpers.given = work
    begun = {part: helpers.begin(_made, part, many) for part in parts}
    for one in as_they_come(begun.values(), "sections"):
        if many and isinstance(one, Section):
            made(one)
    found = {part: one for part, future in begun.items() if isinstance(one := future.result(), Section)}
    tables = {part: one for part, future in begun.items() if isinstance(one := future.result(), Table)}

    def whole(kind: str, k: int, of_group: Sequence[AnyRun]) -> Section:
        section, by_name = found[kind, k, 0], {run.name: run for run in of_group}
        runs = {label: by_name[name] for name, label in section.names.items()} if section.findings else {}
        return replace(section, comparisons=tables.get((f"{kind} compared", k, 0)), runs=runs)

    refusal = [whole("refusal", k, group.runs) for k, group in enumerate(work.refusal)]
    hedging = [whole("hedging", k, group.runs) for k, group in enumerate(work.hedging)]
    both = [section for part, section in found.items() if part[0] == "beside"]
    if not both:
        tasks = [group.runs[0].task for group in work.refusal]
        refusal = [nothing_beside(section, task, tasks) for section, task in zip(refusal, tasks, strict=True)]
    generation = [generation_section(logs.generation)] if logs.generation else []
    return [*refusal, *both, *hedging, *generation, *made_sections([one for _, one in logs.makers])]


@dataclass(frozen=True)
class _Work:
    """The runs by section, and the short names of models."""

    refusal: Sequence[RunGroup[RefusalRun]]
    hedging: Sequence[RunGroup[HedgingRun]]
    names: Mapping[str, str]

    @property
    def parts(self) -> Iterator[_Part]:
        """Yield the parts of the work, those that take long first."""
        for kind, groups in (
            ("hedging", self.hedging),
            ("hedging compared", self.hedging),
            ("refusal", self.refusal),
            ("refusal compared", self.refusal),
        ):
            yield from ((kind, k, 0) for k in range(len(groups)))
        of_task = ([k for k, group in enumerate(self.refusal) if group.runs[0].task == task] for task in BESIDE_TASKS)
        yield from (("beside", nq, garage) for nq, garage in product(*of_task))

    @cached_property
    def counted(self) -> dict[int, Counted]:
        """Return the runs of the refusal kind that were counted so far, by the place of their group."""
        return {}

    def count(self, k: int) -> Counted:
        """Return the runs of a section of the refusal kind, counted once in a process."""
        if k not in self.counted:
            self.counted[k] = Counted.of(self.refusal[k], self.names)
        return self.counted[k]


def _made(work: _Work, part: _Part) -> Section | Table | None:
    kind, k, other = part
    match kind:
        case "refusal":
            return refusal_section(work.count(k), work.names)
        case "hedging":
            return hedging_section(work.hedging[k], work.names)
        case "beside":
            return beside_section(work.count(k), work.count(other), work.names)
        case "refusal compared":
            return _compared(work.refusal[k], [run for run in work.refusal[k].runs if run.perturbed], work.names)
        case _:
            return _compared(work.hedging[k], work.hedging[k].runs, work.names)


def _compared(
    group: RunGroup[RefusalRun] | RunGroup[HedgingRun], runs: Sequence[AnyRun], names: Mapping[str, str]
) -> Table | None:
    label_of = dict(zip((run.name for run in group.runs), labels(group.runs, names), strict=True))
    return comparison_table(group.key, [(label_of[run.name], run) for run in runs])
