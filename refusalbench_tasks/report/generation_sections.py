"""The sections of logs that made data: perturb, question, collect."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspect_ai.log import EvalLog

from refusalbench_tasks.log_reading import task_of
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.figures.catalogue import GENERATION, drawn
from refusalbench_tasks.report.section import Section
from refusalbench_tasks.results.verifier_panel import EARLY_STOP, panel_of, read_votes
from refusalbench_tasks.tables import Table, TableRow


def made_sections(logs: Sequence[EvalLog]) -> list[Section]:
    """Return a section for each task that made data: its numbers, and of `perturb` how
    writers and verifiers agree.
    """
    found = []
    for task in sorted({task_of(log) for log in logs}):
        own = [log for log in logs if task_of(log) == task]
        title = f"{task} ({len(own)} {'run' if len(own) == 1 else 'runs'})"
        section = Section(task, title, tables=[_numbers(own)])
        if task == "perturb":
            panel = panel_of(read_votes(own)[0])
            figures, undrawn = (
                drawn(GENERATION, "RefusalBench", task, panel)
                if len(panel.matched)
                else ([], [])
            )
            warnings = [] if figures else [f"Pass rates and agreement: {EARLY_STOP}."]
            section = replace(
                section, warnings=warnings, figures=figures, undrawn=undrawn
            )
        found.append(section)
    return found


def _numbers(logs: Sequence[EvalLog]) -> Table:
    """Return the metrics that the runs noted themselves, a row a run."""
    rows: list[TableRow] = []
    for log in logs:
        scores = log.results.scores if log.results else []
        values = {
            name: metric.value
            for score in scores
            for name, metric in score.metrics.items()
        }
        numbers = {
            label_of(name): value for name, value in _of_what_ran(log, values).items()
        }
        rows.append(
            {
                "log": log.location.rstrip("/").rpartition("/")[2],
                "model": log.eval.model,
            }
            | numbers
        )
    columns = dict.fromkeys(name for row in rows for name in row)
    return Table(
        "yields",
        "What was made",
        [{name: row.get(name, float("nan")) for name in columns} for row in rows],
    )


def _of_what_ran(log: EvalLog, values: Mapping[str, float]) -> Mapping[str, float]:
    """Return metrics with the yield over the slots that a run was limited to, and not
    over the whole plan.
    """
    asked = log.eval.dataset.sample_ids
    planned = values.get("yield_n")
    limited = log.eval.config.limit is not None or log.eval.config.sample_id is not None
    if not limited or not asked or not planned or len(asked) >= planned:
        return values
    return {
        **values,
        "yield": values["yield"] * planned / len(asked),
        "yield_n": len(asked),
    }
