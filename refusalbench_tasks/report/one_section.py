"""One part of a report: the runs over one data set, their tables and figures."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ
from refusalbench_tasks.report.beside import beside_table, beside_warnings, models_beside
from refusalbench_tasks.report.factor_tables import factor_tables
from refusalbench_tasks.report.figures.catalogue import BESIDE, GENERATION, HEDGING, REFUSAL
from refusalbench_tasks.report.figures.figure import Absent, Figure, Paper
from refusalbench_tasks.report.first_screen import Finding, hedging_findings, refusal_findings
from refusalbench_tasks.report.hedging_tables import hedging_tables, part_tables
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.looks import coloured, looks_of
from refusalbench_tasks.report.overview import completeness, control_overview, hedging_overview, refusal_overview
from refusalbench_tasks.report.reading_list import hedging_reading_list, reading_list
from refusalbench_tasks.report.run_groups import RunGroup
from refusalbench_tasks.report.section_warnings import hedging_warnings, refusal_warnings
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun
from refusalbench_tasks.results.logs.run_labels import labels
from refusalbench_tasks.results.logs.show import Summary
from refusalbench_tasks.results.logs.summary_table import side_by_side
from refusalbench_tasks.tables import Table

if TYPE_CHECKING:
    from refusalbench_tasks.generators.generation_logs import GenerationRun

BESIDE_TASKS = (NQ.task, GARAGE.task)
"""The tasks whose runs of one model stand beside each other."""
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
    findings: tuple[Finding, ...] = ()
    """What was found of each run: the section's lines of the first table."""
    comparisons: Table | None = None
    """All pairs of models; None where there are no two."""
    runs: Mapping[str, AnyRun] = field(default_factory=dict)
    """The run of each name in tables and figures."""

    @property
    def models(self) -> dict[str, str]:
        """Return the full name of the model of each name in tables and figures."""
        return {label: run.model for label, run in self.runs.items()}


@dataclass(frozen=True)
class Counted:
    """The runs of a section of `nq` or `garage`, counted; those with nothing but controls are in `every` alone."""

    group: RunGroup[RefusalRun]
    every: Sequence[Tally]
    perturbed: RefusalGroup

    @classmethod
    def of(cls, group: RunGroup[RefusalRun], names: Mapping[str, str]) -> Self:
        """Return the runs of a group, counted; `names` are the short names of models."""
        every = [Tally(run, label) for run, label in zip(group.runs, labels(group.runs, names), strict=True)]
        return cls(group, every, RefusalGroup([tally for tally in every if tally.rows]))

    @property
    def task(self) -> str:
        """Return the task of the runs."""
        return self.group.runs[0].task


def refusal_section(counted: Counted, names: Mapping[str, str]) -> Section:
    """Return the section of runs of `nq` or `garage`, without the runs and their comparisons."""
    group, perturbed, task = counted.group, counted.perturbed, counted.task
    looks = looks_of({tally.label: tally.run for tally in counted.every}, list(names))
    tallies = perturbed.tallies
    if not tallies:
        return _only_controls(group, counted.every)
    return _section(
        group.key,
        group.title,
        refusal_warnings(tallies),
        refusal_overview(tallies, perturbed.rows),
        coloured(REFUSAL.figures(perturbed, task), looks),
        reading=(reading_list(tallies),),
        names={tally.run.name: tally.label for tally in tallies},
        findings=refusal_findings(group.key, tallies, looks),
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


def beside_section(nq: Counted, garage: Counted, names: Mapping[str, str]) -> Section | None:
    """Return the section of the models that two sections of `nq` and of `garage` have in common; None without any."""
    models = models_beside(nq.perturbed, garage.perturbed, names)
    if not models:
        return None
    key, title = (f"{nq.group.key}{word}{garage.group.key}" for word in ("-beside-", " beside "))
    many = f"{len(models)} {'model' if len(models) == 1 else 'models'}"
    looks = looks_of({tally.label: tally.run for tally in nq.every}, list(names))
    looks |= {f"{label} ({task})": look for label, look in looks.items() for task in BESIDE_TASKS}
    figures = coloured(BESIDE.figures(models, nq.task), looks)
    return _section(key, f"{title} ({many})", beside_warnings(models), [beside_table(models)], figures)


def nothing_beside(section: Section, task: str, tasks: Collection[str]) -> Section:
    """Return a section of a task with the reason why none of its models is seen on both data sets.

    `tasks` are those of all sections.
    """
    reason = f"no model has runs of {' and '.join(BESIDE_TASKS)} that are scored alike"
    if not section.findings:
        reason = _CONTROLS
    missing = [one for one in BESIDE_TASKS if one not in tasks]
    if missing:
        reason = f"no run of {' or '.join(missing)} beside it"
    return replace(section, absent=(*section.absent, *BESIDE.all_absent(reason, task)))


def hedging_section(group: RunGroup[HedgingRun], names: Mapping[str, str]) -> Section:
    """Return the section of runs of `bluff`, without the runs and their comparisons."""
    tallies = [HedgingTally(run, label) for run, label in zip(group.runs, labels(group.runs, names), strict=True)]
    looks = looks_of({tally.label: tally.run for tally in tallies}, list(names))
    return _section(
        group.key,
        group.title,
        hedging_warnings(tallies),
        [*hedging_overview(tallies), *hedging_tables(tallies), *factor_tables(tallies)],
        coloured(HEDGING.figures(tallies, group.runs[0].task), looks),
        paper_tables=tuple((HEDGING.paper, number) for number in HEDGING.tables),
        reading=(*part_tables(tallies), hedging_reading_list(tallies)),
        names={tally.run.name: tally.label for tally in tallies},
        findings=hedging_findings(group.key, tallies, looks),
    )


def generation_section(runs: "Sequence[GenerationRun]") -> Section:
    """Return the section of the generation runs."""
    from refusalbench_tasks.generators.agreement import panel_tables

    items = [item for run in runs for item in run.items]
    panel = panel_tables(items)
    tables = [Table(key.replace("_", "-"), key.replace("_", " "), rows) for key, rows in panel.tables.items() if rows]
    slots = sum(run.slots for run in runs)
    title = f"perturb ({len(runs)} {'run' if len(runs) == 1 else 'runs'}, {slots} slots, {len(items)} candidates)"
    warnings = [f"Pass rates and agreement: {panel.note}."] if panel.note else []
    figures = GENERATION.all_absent(panel.note, "perturb") if panel.note else GENERATION.figures(panel, "perturb")
    return _section("perturb", title, warnings, tables, figures)


def made_sections(summaries: Sequence[Summary]) -> list[Section]:
    """Return a section for each task that made questions or records: its yields, and what became of the rest."""
    return [
        _section(
            task,
            f"{task} ({len(own)} {'run' if len(own) == 1 else 'runs'})",
            (),
            [replace(table, key=f"yields{f'-{k}' if k else ''}") for k, table in enumerate(side_by_side(own))],
            (),
        )
        for task in sorted({one.task for one in summaries})
        if (own := [one for one in summaries if one.task == task])
    ]


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
    findings: tuple[Finding, ...] = (),
) -> Section:
    drawn = tuple(figure for figure in figures if isinstance(figure, Figure))
    absent = tuple(figure for figure in figures if isinstance(figure, Absent))
    return Section(
        key, title, tuple(warnings), tuple(tables), drawn, absent, paper_tables, reading, names or {}, findings
    )  # fmt: skip
