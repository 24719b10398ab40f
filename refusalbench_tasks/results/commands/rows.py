"""`refusalbench rows`: logs as one table of replies."""

from pathlib import Path

import click

from refusalbench_tasks.command_output import logs_argument, tell_left_out


@click.command()
@logs_argument
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="NAME.parquet, NAME.csv or NAME.jsonl to write.",
)
def rows(logs: tuple[str, ...], output: Path) -> None:
    """Write the replies of LOGS (files or folders) as one table, one row per sample and
    epoch, for pandas, Polars or R.

    With question, reply, passages, retrieved passages, source document and every column
    that metrics are computed from.

    \b
    Example: refusalbench rows logs -o replies.parquet
    """
    from refusalbench_tasks.results.row_writers import write_table
    from refusalbench_tasks.results.table import frame, read_logs
    from refusalbench_tasks.safe_writing import not_an_input

    not_an_input(output, *logs)
    read = read_logs(logs, texts=True)
    table = frame(read.runs)
    write_table(output, table)
    tell_left_out(read.left_out)
    click.echo(f"{output}: {len(table)} rows of {len(read.runs)} logs")
