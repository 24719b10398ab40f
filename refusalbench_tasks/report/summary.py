"""The few numbers of a log that fit on a screen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspect_ai.log import EvalLog

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS

SCORERS = ("refusal_scores", "grounded_scores")


@dataclass(frozen=True)
class Summary:
    """One log: who was evaluated, on what, how completely, and its metrics by name."""

    name: str
    status: str
    samples: int
    completed: int
    metrics: Mapping[str, float]


def summarise(log: EvalLog) -> Summary:
    """Return the summary of a log's header. Raises DataError if it has no refusal scores."""
    results = log.results
    scores = [score for score in results.scores if score.scorer in SCORERS] if results else []
    if results is None or not scores:
        raise DataError(
            f"{log.location}: no refusal scores (status: {log.status}); is it a finished log of nq or garage?"
        )
    name = log.eval.solver.rpartition("/")[2] if log.eval.model == "none/none" and log.eval.solver else log.eval.model
    values = {key: metric.value for key, metric in scores[-1].metrics.items()}
    return Summary(name, log.status, results.total_samples, results.completed_samples, values)


def table(summaries: Sequence[Summary]) -> str:
    """Return a text table: one column per log, one line per metric with its 95 % interval and n, then the counts."""
    lines = [["", *[s.name for s in summaries]]]
    for name in WITH_INTERVALS:
        lines.append([name, *[_cell(s.metrics, name) for s in summaries]])
    lines.append(["", *["" for _ in summaries]])
    for count in ("n_by_parse", "n_by_alias", "n_by_judge", "n_unscored", "n_self_graded"):
        lines.append([count, *[f"{s.metrics.get(count, math.nan):.0f}" for s in summaries]])
    lines.append(["errors", *[f"{s.samples - s.completed} of {s.samples} ({s.status})" for s in summaries]])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
                     for line in lines)  # fmt: skip


def _cell(metrics: Mapping[str, float], name: str) -> str:
    value = metrics.get(name, math.nan)
    n = metrics.get(f"{name}_n", math.nan)
    if math.isnan(value):
        return "undefined"
    low, high = metrics.get(f"{name}_ci_low", math.nan), metrics.get(f"{name}_ci_high", math.nan)
    return f"{value:.3f} [{low:.3f}, {high:.3f}] n={n:.0f}"
