"""The few numbers of a log that fit on a screen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspect_ai.log import EvalLog, EvalScore

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.missing_confidence import confidence_warning
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS
from refusalbench_tasks.report.score_names import scores_of


@dataclass(frozen=True)
class Layout:
    """What is shown of one kind of log: rates, each with the name of its n, and counts."""

    scorers: tuple[str, ...]
    rates: Mapping[str, str]
    counts: tuple[str, ...]


REFUSAL = Layout(
    ("refusal_scores", "grounded_scores"),
    {name: f"{name}_n" for name in WITH_INTERVALS},
    ("n_by_parse", "n_by_alias", "n_by_judge", "n_unscored", "n_self_graded"),
)
HEDGING = Layout(
    ("hedging_scores",),
    {
        "asi": "pairs_n",
        "asi_null": "pairs_n",
        "confidence_drop": "pairs_n",
        "hedging_difference": "pairs_n",
        "vui": "hedge_n",
        "vui_of_always_hedging": "hedge_n",
        "hedge_lift": "hedge_n",
        "refusal_sensitivity": "refusal_n",
        "answer_correctness": "answer_correctness_n",
        "faithfulness": "faithfulness_n",
        "ece": "confidence_n",
    },
    (
        "n_pairs",
        "n_pairs_refused",
        "n_pairs_unscored",
        "n_pairs_missing_arm",
        "n_pairs_no_confidence",
        "n_by_phrase",
        "n_by_judge",
        "n_unscored",
        "n_self_graded",
    ),
)
LAYOUTS = (REFUSAL, HEDGING)


@dataclass(frozen=True)
class Summary:
    """One log: who was evaluated, on what, how completely, and its metrics by name."""

    name: str
    layout: Layout
    status: str
    samples: int
    completed: int
    metrics: Mapping[str, float]


def our_scores(log: EvalLog) -> list[tuple[EvalScore, Layout]]:
    """Return our sets of scores in a log's header with their layouts, the oldest first."""
    return [
        (score, layout)
        for score in (log.results.scores if log.results else [])
        for layout in LAYOUTS
        if scores_of([score.name], layout.scorers)
    ]


def summarise(log: EvalLog) -> list[Summary]:
    """Return one summary of a log's header per set of our scores in it, the oldest first.

    Raises DataError if it has none of our scores.
    """
    results, found = log.results, our_scores(log)
    if results is None or not found:
        raise DataError(
            f"{log.location}: no refusal or hedging scores (status: {log.status}); "
            "is it a finished log of nq, garage or bluff?"
        )
    name = log.eval.solver.rpartition("/")[2] if log.eval.model == "none/none" and log.eval.solver else log.eval.model
    return [
        Summary(
            name if k == 0 else f"{name} ({score.name})",
            layout,
            log.status,
            results.total_samples,
            results.completed_samples,
            {key: metric.value for key, metric in score.metrics.items()},
        )
        for k, (score, layout) in enumerate(found)
    ]


def tables(summaries: Sequence[Summary]) -> str:
    """Return one text table per kind of log, a blank line between them."""
    chosen = [[s for s in summaries if s.layout is layout] for layout in LAYOUTS]
    return "\n\n".join(table(some) for some in chosen if some)


def table(summaries: Sequence[Summary]) -> str:
    """Return a text table: one column per log, one line per metric with its 95 % interval and n, then the counts."""
    layout = summaries[0].layout
    lines = [["", *[s.name for s in summaries]]]
    for name, n in layout.rates.items():
        lines.append([name, *[_cell(s.metrics, name, n) for s in summaries]])
    lines.append(["", *["" for _ in summaries]])
    for count in layout.counts:
        lines.append([count, *[f"{s.metrics.get(count, math.nan):.0f}" for s in summaries]])
    lines.append(["errors", *[f"{s.samples - s.completed} of {s.samples} ({s.status})" for s in summaries]])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    told = [f"Warning: {s.name}: {warning}" for s in summaries if (warning := confidence_warning(s.metrics))]
    return "\n".join(shown + told)


def _cell(metrics: Mapping[str, float], name: str, n_name: str) -> str:
    value, n = metrics.get(name, math.nan), metrics.get(n_name, math.nan)
    if math.isnan(value):
        return "undefined"
    low, high = metrics.get(f"{name}_ci_low", math.nan), metrics.get(f"{name}_ci_high", math.nan)
    interval = "" if math.isnan(low) else f"[{low:.3f}, {high:.3f}] "
    return f"{value:.3f} {interval}n={n:.0f}"
