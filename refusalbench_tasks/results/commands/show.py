"""`refusalbench show`: the main metrics of logs."""

import shutil
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import (
    Output,
    format_option,
    logs_argument,
    output,
    tell_left_out,
)
from refusalbench_tasks.tables import Format

if TYPE_CHECKING:
    from refusalbench_tasks.results.show import Group


@click.command()
@logs_argument
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Print every number, one per line.",
)
@click.option(
    "--by",
    "column",
    help=(
        "A line for each value of a column: document, retrieved_document, topic,"
        " language, class, a knob, …"
    ),
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    help="The last N runs of each system, the oldest first.",
)
@format_option
def show(
    logs: tuple[str, ...],
    every: bool,
    column: str | None,
    runs: int | None,
    form: Format,
) -> None:
    """Print the main metrics of LOGS (files or folders) with 95 % CIs: models down,
    metrics across.

    CSV and JSON have one number per line. For logs of perturb, question and collect use
    `refusalbench report`.

    \b
    Example: refusalbench show logs --format latex
    """
    from refusalbench_tasks.results.show import apart_table, shown_runs, sliced
    from refusalbench_tasks.results.slices import NEEDS_TEXTS
    from refusalbench_tasks.results.table import read_logs

    texts = every or column == NEEDS_TEXTS
    read = read_logs(logs, texts, texts_of_undecided=True)
    groups = shown_runs(read.runs, runs)
    with output(form) as out:
        if column is None:
            print_shown(out, groups, every)
        else:
            print_shown(
                out,
                [sliced(group, column) for group in groups],
                every,
            )
            apart = apart_table(groups, column)
            out.table(apart, f"\n{apart.title}\n")
    tell_left_out(read.left_out)


def print_shown(
    out: Output,
    groups: "Sequence[Group]",
    every: bool = False,
) -> None:
    """Print the main metrics of runs, or every number, and what they could be for what
    is undecided.
    """
    from refusalbench_tasks.results.read_offline import own_errors, told_bounds
    from refusalbench_tasks.results.show import long_table, paper_tables, text_tables

    if out.form == "text" and not every:
        out.remark(text_tables(groups, shutil.get_terminal_size((120, 24)).columns))
    elif every or out.form in ("csv", "json"):
        out.table(long_table(groups, every))
    else:
        for table in paper_tables(groups):
            out.table(table)
    for view in chain.from_iterable(groups):
        if bounds := told_bounds(view.run):
            out.remark(f"\n{view.label}: {bounds}")
    for sentence in own_errors(view.run for view in chain.from_iterable(groups)):
        out.remark(f"\n{sentence}")
