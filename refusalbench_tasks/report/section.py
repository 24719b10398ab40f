"""One part of a report: the runs over one data set, their tables and figures."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from refusalbench_tasks.generators.generation_logs import GenerationRun
from refusalbench_tasks.logs.find import Logs
from refusalbench_tasks.logs.model_names import short_names
from refusalbench_tasks.logs.run import AnyRun, HedgingRun, RefusalRun
from refusalbench_tasks.report.charts import Curves, Scatter
from refusalbench_tasks.report.figures.calibration import calibration_figures
from refusalbench_tasks.report.figures.confusion import confusion_figures
from refusalbench_tasks.report.figures.data_set import data_set_figures
from refusalbench_tasks.report.figures.domains import domain_figures
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.figures.generation import generation_figures
from refusalbench_tasks.report.figures.hedging import HedgingTally, hedging_figures
from refusalbench_tasks.report.figures.ranking import ranking_figures
from refusalbench_tasks.report.figures.replies import reply_figures
from refusalbench_tasks.report.figures.strata import strata_figures
from refusalbench_tasks.report.figures.tradeoffs import tradeoff_figures
from refusalbench_tasks.report.figures.traits import trait_figures
from refusalbench_tasks.report.overview import (
    completeness,
    control_overview,
    hedging_overview,
    hedging_warnings,
    refusal_overview,
    warnings_of,
)
from refusalbench_tasks.report.reading_list import hedging_reading_list, reading_list
from refusalbench_tasks.report.tally import Tally, data_rows
from refusalbench_tasks.tables import Table

SomeRun = TypeVar("SomeRun", RefusalRun, HedgingRun)


@dataclass(frozen=True)
class Section:
    """A data set's runs: the name for files, the title, warnings, tables and figures, and what can't be drawn."""

    key: str
    title: str
    warnings: tuple[str, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    absent: tuple[Absent, ...]
    reading: tuple[Table, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """The name in tables and figures of each log file."""


def sections(logs: Logs) -> list[Section]:
    """Return one section per task and data set, those with most runs first, then the generation runs.

    A model has one short name, one place in the order, one colour and one marker in all of them.
    """
    every: list[AnyRun] = [*logs.refusal, *logs.hedging]
    runs = sorted(every, key=lambda run: (run.created, run.name))
    names = short_names([run.model for run in runs])
    made = [_refusal(group, names) for group in _groups(logs.refusal, list(names))]
    made += [_hedging(group, names) for group in _groups(logs.hedging, list(names))]
    return made + ([_generation(logs.generation)] if logs.generation else [])


@dataclass(frozen=True)
class _Group(Generic[SomeRun]):
    """Runs of one task over the same rows, with the names that the section gets."""

    key: str
    title: str
    runs: tuple[SomeRun, ...]


def _groups(runs: Sequence[SomeRun], models: Sequence[str]) -> list[_Group[SomeRun]]:
    found: dict[tuple[str, str, str], list[SomeRun]] = defaultdict(list)
    for run in runs:
        # equal rows may lie at several paths; where the rows are not known, the path must do
        rows = run.fingerprint or f"unknown, {run.data}"
        found[run.task, rows, run.protocol].append(run)
    tasks = Counter(_slug(task) for task, *_ in found)
    seen: Counter[str] = Counter()
    groups = []
    for (task, _, protocol), own in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        slug = _slug(task)
        seen[slug] += 1
        key = slug if tasks[slug] == 1 else f"{slug}.{seen[slug]}"
        title = f"{task} on {_places(own)} ({len(own)} {'run' if len(own) == 1 else 'runs'})"
        if tasks[slug] > 1:
            title = f"{key}: {title}, rows {own[0].fingerprint[:8] or 'unknown'}"
        if len({name[2] for name in found}) > 1:
            title += f", scored by {protocol}"
        groups.append(_Group(key, title, tuple(sorted(own, key=lambda run: models.index(run.model)))))
    return groups


def _places(runs: Sequence[AnyRun]) -> str:
    """Return where the runs had their rows from: the first place, and how many others there are."""
    first, *others = dict.fromkeys(run.data or "unknown data" for run in runs)
    return f"{first} and {len(others)} other {'path' if len(others) == 1 else 'paths'}" if others else first


def _slug(task: str) -> str:
    """Return a task's name as it can stand in file names and links; without a dot, which numbers sections."""
    return re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")[:60] or "task"


def _refusal(group: _Group[RefusalRun], names: Mapping[str, str]) -> Section:
    tallies = [Tally(run, label) for run, label in zip(group.runs, labels(group.runs, names), strict=True)]
    looks = _looks(tallies, list(names))
    alone = [tally for tally in tallies if not tally.rows]
    tallies = [tally for tally in tallies if tally.rows]
    if not tallies:
        shown = {tally.run.name: tally.label for tally in alone}
        told = ("There are only unperturbed controls: every other table and figure needs perturbed rows.",)
        return Section(
            group.key, group.title, told, (*control_overview(alone), completeness(alone)), (), (), names=shown
        )
    task = group.runs[0].task
    rows = data_rows(tallies)
    found: Found = [
        *data_set_figures(rows),
        *tradeoff_figures(tallies, rows),
        *confusion_figures(tallies),
        *strata_figures(tallies),
        *ranking_figures(tallies, rows, task),
        *reply_figures(tallies),
        *calibration_figures(tallies),
        *domain_figures(tallies, rows),
        *trait_figures(tallies),
    ]
    tables, reading = refusal_overview(tallies, rows), reading_list(tallies)
    made = _section(group.key, group.title, warnings_of(tallies), tables, _coloured(found, looks), reading)
    return replace(made, names={tally.run.name: tally.label for tally in tallies})


def _hedging(group: _Group[HedgingRun], names: Mapping[str, str]) -> Section:
    tallies = [HedgingTally(run, label) for run, label in zip(group.runs, labels(group.runs, names), strict=True)]
    tables, reading = hedging_overview(tallies), hedging_reading_list(tallies)
    found = _coloured(hedging_figures(tallies), _looks(tallies, list(names)))
    made = _section(group.key, group.title, hedging_warnings(tallies), tables, found, reading)
    return replace(made, names={tally.run.name: tally.label for tally in tallies})


def _generation(runs: Sequence[GenerationRun]) -> Section:
    from refusalbench_tasks.generators.agreement import panel_tables

    items = [item for run in runs for item in run.items]
    panel = panel_tables(items)
    tables = [Table(key.replace("_", "-"), key.replace("_", " "), rows) for key, rows in panel.tables.items() if rows]
    slots = sum(run.slots for run in runs)
    title = f"perturb ({len(runs)} {'run' if len(runs) == 1 else 'runs'}, {slots} slots, {len(items)} candidates)"
    warnings = [f"Pass rates and agreement: {panel.note}."] if panel.note else []
    return _section("perturb", title, warnings, tables, generation_figures(panel.tables, panel.note))


def _section(
    key: str, title: str, warnings: Iterable[str], tables: Iterable[Table], found: Found, *reading: Table
) -> Section:
    figures = tuple(one for one in found if isinstance(one, Figure))
    absent = tuple(one for one in found if isinstance(one, Absent))
    return Section(key, title, tuple(warnings), tuple(tables), figures, absent, reading)


def _looks(tallies: Sequence[Tally] | Sequence[HedgingTally], models: Sequence[str]) -> dict[str, int]:
    """Return the number of each run's colour and marker: its model's; a model's further runs have numbers after all."""
    looks: dict[str, int] = {}
    for tally in tallies:
        number = models.index(tally.run.model)
        taken = set(looks.values())
        looks[tally.label] = number if number not in taken else max(len(models) - 1, *taken) + 1
    return looks


def _coloured(found: Found, looks: Mapping[str, int]) -> Found:
    return [
        replace(one, chart=replace(one.chart, looks=looks))
        if isinstance(one, Figure) and isinstance(one.chart, Curves | Scatter)
        else one
        for one in found
    ]


def labels(runs: Sequence[AnyRun], short: Mapping[str, str]) -> list[str]:
    """Return a name for each run, no two alike: its model, with its graders and a number where that is not enough.

    `short` are the names of models.
    """
    names = [short[run.model] or "(no name)" for run in runs]
    models = Counter(names)
    by = short_names(sorted({grader for run in runs for grader in run.graders}))
    graders = [" + ".join(sorted(by[name] for name in run.graders)) or "no grader" for run in runs]
    names = [f"{name} ({by})" if models[name] > 1 else name for name, by in zip(names, graders, strict=True)]
    counts, taken = Counter(names), set(names)
    result = []
    for name in names:
        k, given = 1, name
        while counts[name] > 1 and (given == name or given in taken):
            given, k = f"{name} #{k}", k + 1
        taken.add(given)
        result.append(given)
    return result
