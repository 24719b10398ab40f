"""`refusalbench agreement`: writers and verifiers of generation logs."""

from pathlib import Path

import click

from refusalbench_tasks.command_output import format_option, output, write_csv
from refusalbench_tasks.left_out import tell_left_out
from refusalbench_tasks.tables import Format, Table


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), help="A folder for the tables as CSV.")
@format_option
def agreement(logs: tuple[str, ...], folder: Path | None, form: Format) -> None:
    """Show how writers and verifiers of generation LOGS agree."""
    from refusalbench_tasks.generators.agreement import panel_tables
    from refusalbench_tasks.generators.ballot_runs import read_ballots
    from refusalbench_tasks.results.logs.parallel import each_of

    found = read_ballots(logs, each_of)
    tell_left_out(found.left_out)
    panel = panel_tables(found.ballots)
    with output(form) as out:
        if panel.note:
            out.remark(f"pass rates and agreement: {panel.note}\n")
        for name, rows in panel.tables.items():
            table = Table(name, name.replace("_", " "), rows)
            if folder:
                write_csv(folder / f"{name}.csv", table)
            out.table(table, title=name, end="\n")
