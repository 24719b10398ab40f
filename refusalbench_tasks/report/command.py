"""`refusalbench report`: a page of tables and figures."""

from pathlib import Path

import click

from refusalbench_tasks.terminal import one_line


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder for the report.")
@click.option("--title", default="Refusal and hedging report", show_default=True, help="Title of the page.")
def report(logs: tuple[str, ...], output: Path, title: str) -> None:
    """Write a page with the tables and figures that LOGS (files or folders, any mix of our tasks) allow.

    \b
    Example: refusalbench report logs -o page
    """
    from refusalbench_tasks.report.build import write_report

    made = write_report(logs, output, title)
    for warning in made.warnings:
        click.echo(f"Warning: {one_line(warning)}", err=True)
    click.echo(
        f"{made.page}: {made.runs} {'run' if made.runs == 1 else 'runs'}, {made.figures} figures, {made.tables} tables"
    )
