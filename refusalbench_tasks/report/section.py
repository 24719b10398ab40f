"""One part of a report: the runs over one data set, their tables and figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.generators.generation_logs import GenerationRun
from refusalbench_tasks.logs.find import Logs
from refusalbench_tasks.logs.model_names import short_names
from refusalbench_tasks.logs.run import AnyRun, HedgingRun, RefusalRun
from refusalbench_tasks.logs.run_labels import labels
from refusalbench_tasks.report.figures.catalogue import GENERATION, HEDGING, REFUSAL
from refusalbench_tasks.report.figures.figure import Absent, Figure, Paper
from refusalbench_tasks.report.hedging_tables import hedging_tables, part_tables
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.looks import coloured, looks_of
from refusalbench_tasks.report.overview import completeness, control_overview, hedging_overview, refusal_overview
from refusalbench_tasks.report.reading_list import hedging_reading_list, reading_list
from refusalbench_tasks.report.run_groups import RunGroup, run_groups
from refusalbench_tasks.report.section_warnings import hedging_warnings, refusal_warnings
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.tables import Table

_CONTROLS = "there are only unperturbed controls"


@dataclass(frozen=True)
class Section:
    """A data set's runs: the name for files, the title, warnings, tables and figures, and what can't be drawn."""

    key: str
    title: str
    warnings: tuple[str, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    absent: tuple[Absent, ...]
    paper_tables: tuple[tuple[Paper, int], ...] = ()
    """The figures of a paper that the tables stand for."""
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
    refusal = [_refusal(group, names) for group in run_groups(logs.refusal, list(names))]
    hedging = [_hedging(group, names) for group in run_groups(logs.hedging, list(names))]
    return [*refusal, *hedging, *([_generation(logs.generation)] if logs.generation else [])]


def _refusal(group: RunGroup[RefusalRun], names: Mapping[str, str]) -> Section:
    every = [Tally(run, label) for run, label in zip(group.runs, labels(group.runs, names), strict=True)]
    looks, task = looks_of({tally.label: tally.run for tally in every}, list(names)), group.runs[0].task
    perturbed = RefusalGroup([tally for tally in every if tally.rows])
    tallies = perturbed.tallies
    if not tallies:
        return _only_controls(group, every)
    return _section(
        group.key,
        group.title,
        refusal_warnings(tallies),
        refusal_overview(tallies, perturbed.rows),
        coloured(REFUSAL.figures(perturbed, task), looks),
        reading=(reading_list(tallies),),
        names={tally.run.name: tally.label for tally in tallies},
    )


def _only_controls(group: RunGroup[RefusalRun], tallies: Sequence[Tally]) -> Section:
    return _section(
        group.key,
        group.title,
        [f"{_CONTROLS.capitalize()}: every other table and figure needs perturbed rows."],
        [*control_overview(tallies), completeness(tallies)],
        REFUSAL.all_absent(_CONTROLS, group.runs[0].task),
        names={tally.run.name: tally.label for tally in tallies},
    )


def _hedging(group: RunGroup[HedgingRun], names: Mapping[str, str]) -> Section:
    tallies = [HedgingTally(run, label) for run, label in zip(group.runs, labels(group.runs, names), strict=True)]
    looks = looks_of({tally.label: tally.run for tally in tallies}, list(names))
    return _section(
        group.key,
        group.title,
        hedging_warnings(tallies),
        [*hedging_overview(tallies), *hedging_tables(tallies)],
        coloured(HEDGING.figures(tallies, group.runs[0].task), looks),
        paper_tables=tuple((HEDGING.paper, number) for number in HEDGING.tables),
        reading=(*part_tables(tallies), hedging_reading_list(tallies)),
        names={tally.run.name: tally.label for tally in tallies},
    )


def _generation(runs: Sequence[GenerationRun]) -> Section:
    from refusalbench_tasks.generators.agreement import panel_tables

    items = [item for run in runs for item in run.items]
    panel = panel_tables(items)
    tables = [Table(key.replace("_", "-"), key.replace("_", " "), rows) for key, rows in panel.tables.items() if rows]
    slots = sum(run.slots for run in runs)
    title = f"perturb ({len(runs)} {'run' if len(runs) == 1 else 'runs'}, {slots} slots, {len(items)} candidates)"
    warnings = [f"Pass rates and agreement: {panel.note}."] if panel.note else []
    figures = GENERATION.all_absent(panel.note, "perturb") if panel.note else GENERATION.figures(panel, "perturb")
    return _section("perturb", title, warnings, tables, figures)


def _section(
    key: str,
    title: str,
    warnings: Iterable[str],
    tables: Iterable[Table],
    figures: Sequence[Figure | Absent],
    *,
    paper_tables: tuple[tuple[Paper, int], ...] = (),
    reading: tuple[Table, ...] = (),
    names: Mapping[str, str] | None = None,
) -> Section:
    drawn = tuple(figure for figure in figures if isinstance(figure, Figure))
    absent = tuple(figure for figure in figures if isinstance(figure, Absent))
    return Section(key, title, tuple(warnings), tuple(tables), drawn, absent, paper_tables, reading, names or {})
