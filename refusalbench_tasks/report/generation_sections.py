"""The sections of logs that made data: perturb, question, collect."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from inspect_ai.log import EvalLog

from refusalbench_tasks.log_reading import file_name, task_of
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.results.verifier_panel import EARLY_STOP, panel_of, read_votes
from refusalbench_tasks.stats.estimate import NAN
from refusalbench_tasks.tables import Table, TableRow, filled

from .figures.catalogue import GENERATION, make_figures
from .section import Section


def generation_sections(logs: Sequence[EvalLog]) -> list[Section]:
    """Return a section for each task that made data: its numbers, and of `perturb` how
    writers and verifiers agree.
    """
    by_task: dict[str, list[EvalLog]] = defaultdict(list)
    for log in logs:
        by_task[task_of(log)].append(log)
    sections = []
    for task, of_task in sorted(by_task.items()):
        runs = f"{len(of_task)} {'run' if len(of_task) == 1 else 'runs'}"
        section = Section(
            task,
            f"{task} ({runs})",
            tables=[_numbers(of_task)],
        )
        if task == "perturb":
            section = _with_agreement(section, of_task)
        sections.append(section)
    return sections


def _with_agreement(section: Section, logs: Sequence[EvalLog]) -> Section:
    panel = panel_of(read_votes(logs)[0])
    if panel.matched.empty:
        warning = f"Pass rates and agreement: {EARLY_STOP}."
        return replace(section, warnings=[warning])
    figures, undrawn = make_figures(GENERATION, panel)
    return replace(
        section,
        figures=figures,
        undrawn=undrawn,
    )


def _numbers(logs: Sequence[EvalLog]) -> Table:
    """Return the metrics that the runs noted themselves, a row a run."""
    rows = []
    for log in logs:
        row: TableRow = {"log": file_name(log.location), "model": log.eval.model}
        for name, value in _of_what_ran(log).items():
            row[label_of(name)] = value
        rows.append(row)
    return Table(
        "yields",
        "What was made",
        filled(rows, NAN),
    )


def _of_what_ran(log: EvalLog) -> dict[str, float]:
    """Return the metrics of a run with the yield over the slots that it was limited to,
    and not over the whole plan.
    """
    values = {}
    for score in log.results.scores if log.results else []:
        for name, metric in score.metrics.items():
            values[name] = metric.value
    asked = log.eval.dataset.sample_ids
    planned = values.get("yield_n")
    limited = log.eval.config.limit is not None or log.eval.config.sample_id is not None
    if limited and asked and planned and len(asked) < planned:
        values["yield"] *= planned / len(asked)
        values["yield_n"] = len(asked)
    return values
