"""What a command prints: tables in the format that was asked for, and remarks."""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import CONTINUED
from refusalbench_tasks.replies.outside_text import one_line, printable
from refusalbench_tasks.tables import Format, Table, tables_text

PATH = click.Path(path_type=Path)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Format)),
    default="text",
    help="Format of tables; all but text print only the tables to stdout.",
)
"""The option of every command that prints a table."""
logs_argument = click.argument(
    "logs",
    nargs=-1,
    required=True,
    type=click.Path(exists=True),
)
"""The argument of commands that read logs which must be there."""
sheet_rows_option = click.option(
    "-n",
    "--n",
    default=100,
    type=click.IntRange(1),
    help="Rows of the sheet.",
)
"""The option of commands that draw a blind sheet."""
task_args_option = click.option(
    "-T",
    "task_args",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument of the task.",
)
"""The option of every command that gives a task its arguments."""
_NOTHING: Mapping[str, Any] = {}


@dataclass
class Output:
    """Text comes as it is said; in any other format remarks go to stderr, and the
    tables follow at the end.
    """

    form: Format
    tables: dict[str, Table] = field(default_factory=dict)

    def remark(self, text: str = "") -> None:
        """Print a line of text, which is no part of a table."""
        if self.form == "text":
            click.echo(printable(text))
        elif text.strip():
            click.echo(printable(text.strip("\n")), err=True)

    def table(
        self,
        table: Table,
        title: str = "",
        end: str = "",
        about: Mapping[str, Any] = _NOTHING,
    ) -> None:
        """Print a table: in text under a title, with an end after it.

        Other formats join tables of one key, whose rows begin with what is `about`
        each.
        """
        if self.form == "text":
            click.echo(printable(f"{title}\n" * bool(title) + table.as_text() + end))
        else:
            self.numbers(table, about)

    def numbers(self, table: Table, about: Mapping[str, Any] = _NOTHING) -> None:
        """Print a table in other formats than text, where a sentence
        has its numbers.
        """
        if self.form != "text":
            rows = [{**about, **row} for row in table.rows]
            if table.key in self.tables:
                rows = [*self.tables[table.key].rows, *rows]
            names = [*about, *table.columns] if table.columns else []
            self.tables[table.key] = replace(table, names=names, rows=rows)


@contextmanager
def output(form: Format) -> Iterator[Output]:
    """Return where a command prints to; what is printed at the end is left out after an
    error.
    """
    out = Output(form)
    yield out
    if form != "text":
        text = tables_text(list(out.tables.values()), form)
        text = text.encode("utf-8", "replace").decode()
        # a file or a program gets outside text as it is, a terminal does not
        click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def reject_options(names: Collection[str], why: str) -> None:
    """Raise DataError, which ends in `why`, for the first of some options that the
    command line gives.
    """
    context = click.get_current_context()
    for option in context.command.params:
        name = str(option.name)
        source = context.get_parameter_source(name)
        if name in names and source is ParameterSource.COMMANDLINE:
            raise DataError(f"{context.command.name}: {option.opts[0]} {why}")


def left_out_lines(left_out: Sequence[tuple[str, str]]) -> list[str]:
    """Return a line for each log that is left out, with the reason; one line for all
    attempts of continued runs.
    """
    attempts = [name for name, reason in left_out if reason == CONTINUED]
    listed = [pair for pair in left_out if pair[1] != CONTINUED]
    if len(attempts) > 1:
        listed.append((f"{len(attempts)} logs", CONTINUED))
    else:
        listed = list(left_out)
    return [one_line(f"left out: {name}: {reason}") for name, reason in listed]


def tell_left_out(left_out: Sequence[tuple[str, str]]) -> None:
    """Say on stderr which logs are left out, and why."""
    for line in left_out_lines(left_out):
        click.echo(f"Warning: {line}", err=True)
