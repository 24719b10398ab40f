"""The sections of logs that made data: perturb, question, collect."""

from collections.abc import Sequence
from dataclasses import replace

from inspect_ai.log import EvalLog

from refusalbench_tasks.report.cells import spoken
from refusalbench_tasks.report.figures.catalogue import GENERATION, drawn
from refusalbench_tasks.report.section import Section
from refusalbench_tasks.results.log_files import task_of
from refusalbench_tasks.results.votes import EARLY_STOP, panel_of, read_votes
from refusalbench_tasks.tables import Table, TableRow


def made_sections(logs: Sequence[EvalLog]) -> list[Section]:
    """Return a section for each task that made data: its numbers, and of `perturb` how writers and verifiers agree."""
    found = []
    for task in sorted({task_of(log) for log in logs}):
        own = [log for log in logs if task_of(log) == task]
        title = f"{task} ({len(own)} {'run' if len(own) == 1 else 'runs'})"
        section = Section(task, title, tables=[_numbers(own)])
        if task == "perturb":
            panel = panel_of(read_votes(own)[0])
            figures, undrawn = drawn(GENERATION, "RefusalBench", task, panel) if len(panel.matched) else ([], [])
            warnings = [] if figures else [f"Pass rates and agreement: {EARLY_STOP}."]
            section = replace(section, warnings=warnings, figures=figures, undrawn=undrawn)
        found.append(section)
    return found


def _numbers(logs: Sequence[EvalLog]) -> Table:
    """Return the metrics that the runs noted themselves, a row a run."""
    rows: list[TableRow] = []
    for log in logs:
        scores = log.results.scores if log.results else []
        numbers = {spoken(name): one.value for score in scores for name, one in score.metrics.items()}
        rows.append({"log": log.location.rstrip("/").rpartition("/")[2], "model": log.eval.model} | numbers)
    columns = dict.fromkeys(name for row in rows for name in row)
    return Table("yields", "What was made", [{name: row.get(name, float("nan")) for name in columns} for row in rows])
