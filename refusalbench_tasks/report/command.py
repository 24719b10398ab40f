"""`refusalbench report`: a page of tables and figures."""

from collections.abc import Iterable
from pathlib import Path

import click

from refusalbench_tasks.command_output import PATH, logs_argument
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line


@click.command()
@logs_argument
@click.option(
    "-o",
    "--output",
    type=PATH,
    help="Folder for the report.",
)
@click.option(
    "--evaluation-report",
    "register",
    type=PATH,
    help=(
        "Folder for the files that the register of Inspect Evals and Hugging Face take."
    ),
)
@click.option(
    "--every-eval-ever",
    "database",
    type=click.Path(path_type=Path),
    help="Folder for the files that the database Every Eval Ever takes.",
)
@click.option(
    "--title",
    default="Refusal and hedging report",
    help="Title of the page.",
)
def report(
    logs: tuple[str, ...],
    output: Path | None,
    register: Path | None,
    database: Path | None,
    title: str,
) -> None:
    """Write an HTML page with tables, figures and all replies of LOGS (files or
    folders, any mix of our tasks).

    \b
    Example: refusalbench report logs -o page
    """
    from .build import write_report
    from .evaluation_report import (
        REPORT,
        write_evaluation_report,
    )
    from .every_eval_ever import write_every_eval_ever

    if output is None and register is None and database is None:
        raise DataError(
            "report: give a folder: -o for a page, --evaluation-report or"
            " --every-eval-ever for registers of evaluations"
        )
    if register is not None:
        _tell(write_evaluation_report(logs, register))
        click.echo(f"{register / REPORT}: goes into the entry of the task")
    if database is not None:
        _tell(write_every_eval_ever(logs, database))
        click.echo(f"{database / 'data'}: goes into the database")
    if output is not None:
        page = write_report(logs, output, title)
        _tell(page.warnings)
        runs = f"{page.runs} {'run' if page.runs == 1 else 'runs'}"
        click.echo(f"{page.page}: {runs}, {page.figures} figures, {page.tables} tables")


def _tell(warnings: Iterable[str]) -> None:
    for warning in warnings:
        click.echo(f"Warning: {one_line(warning)}", err=True)
