"""What Inspect prints of our scores at the end of a run: the numbers that people read, not every metric of the log."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai.log import EvalScore

PRINTERS = ("inspect_ai._display.core.results", "inspect_ai._cli.score")
"""The modules of Inspect that lay out a table of scores, by a function that each has under one name."""
NAME = "task_scores"
MARK = "_short_for_refusalbench"
Layout = Callable[..., list[Any]]


def short_closing_table() -> None:
    """Have Inspect print our scores as a short table in this process; those of other suites are printed as ever.

    Inspect prints every metric of a log, has no setting for it, and takes seconds to lay out hundreds of lines. So its
    one function that does this is replaced; logs hold every metric all the same. An Inspect that prints in another
    way is left alone.
    """
    for name in PRINTERS:
        module = sys.modules.get(name)
        original = getattr(module, NAME, None)
        if callable(original) and not hasattr(original, MARK):
            setattr(module, NAME, _shortened(original))


def _shortened(original: Layout) -> Layout:
    def task_scores(scores: list[EvalScore], *args: Any, **options: Any) -> list[Any]:
        # a table is no reason to lose a run
        try:
            ours, others = short_tables(scores)
        except Exception:
            return original(scores, *args, **options)
        return [*(original(others, *args, **options) if others else ()), *ours]

    setattr(task_scores, MARK, True)
    setattr(task_scores, "__wrapped__", original)  # noqa: B010 - a function has no such field for mypy
    return task_scores


def short_tables(scores: Sequence[EvalScore]) -> tuple[list[Any], list[EvalScore]]:
    """Return a table (of rich) for each of our scores, and the scores that are not ours.

    A table has the lines of `refusalbench show`. The frequencies of labels beside our scores are in none: the label of
    every attempt to answer is called a correct answer, which no reader of a closing table can know.
    """
    from refusalbench_tasks.results.logs.score_names import scores_of
    from refusalbench_tasks.results.logs.show import LABELS, LAYOUTS

    known = [name for layout in LAYOUTS for name in layout.scorers]
    ours = scores_of([score.name for score in scores], known)
    beside = scores_of([score.name for score in scores], LABELS) if ours else []
    tables = [_table(score) for score in scores if score.name in ours]
    return tables, [score for score in scores if score.name not in (*ours, *beside)]


def _table(score: EvalScore) -> Any:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    for side in ("left", "right", "left", "left"):
        grid.add_column(justify=side, no_wrap=True)
    grid.add_row(Text(score.name, style="bold"))
    for cells in closing_lines(score):
        grid.add_row(*map(Text, cells))
    grid.add_row(Text(f"all {len(score.metrics)} numbers: refusalbench show --all LOG", style="dim"))
    return grid


def closing_lines(score: EvalScore) -> list[tuple[str, str, str, str]]:
    """Return the lines of one of our scores: a number's name, its value, its 95 % interval and its n, as text.

    A count that is 0 is left out, and so is what the log does not have.
    """
    from refusalbench_tasks.results.logs.score_names import scores_of
    from refusalbench_tasks.results.logs.show import LAYOUTS, Summary
    from refusalbench_tasks.results.logs.summary_table import long_table

    layout = next(layout for layout in LAYOUTS if scores_of([score.name], layout.scorers))
    metrics = {name: metric.value for name, metric in score.metrics.items()}
    rows = long_table([Summary("", layout, "", 0, 0, metrics)]).rows
    return [line for row in rows if row["metric"] in metrics and (line := _line(row))]


def _line(row: dict[str, Any]) -> tuple[str, str, str, str] | None:
    value, low, high, n = row["value"], row["95 % low"], row["95 % high"], row["n"]
    if n is None and isinstance(value, int):
        return (row["metric"], str(value), "", "") if value else None
    shown = "undefined" if value != value else f"{value:.3f}"
    interval = f"[{low:.3f}, {high:.3f}]" if low == low and high == high else ""
    return row["metric"], shown, interval, "" if n is None else f"n={n}"
