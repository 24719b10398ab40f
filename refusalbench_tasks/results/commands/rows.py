"""`refusalbench rows`: logs as one tidy table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from refusalbench_tasks.errors import DataError


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path, dir_okay=False),
    help="NAME.parquet, NAME.csv or NAME.jsonl to write.",
)  # fmt: skip
def rows(logs: tuple[str, ...], output: Path) -> None:
    """Write the samples of LOGS (files or folders) as tidy rows, one a sample and epoch, for pandas, Polars or R."""
    from refusalbench_tasks.files.log_names import log_names
    from refusalbench_tasks.results.logs.row_writers import write_rows
    from refusalbench_tasks.results.logs.shard_paths import without_merged

    names = without_merged(sorted({name for path in logs for name in log_names(path)}))
    used: list[str] = []
    number = write_rows(output, _rows(names, used))
    click.echo(f"{output}: {number} rows of {len(used)} of {len(names)} logs")


def _rows(names: list[str], used: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the logs that count, and note which; raise DataError if none has a row."""
    from refusalbench_tasks.files.log_members import read_header, unreadable
    from refusalbench_tasks.results.logs.superseded import superseded
    from refusalbench_tasks.results.logs.tidy_rows import tidy_rows

    headers = {}
    for name in names:
        try:
            headers[name] = read_header(name)
        except Exception as error:  # anything can be wrong with a file, and one must not lose the others
            _left_out(str(unreadable(name, error)))
    continued = superseded((name, one.eval.task_id, one.status, one.eval.created) for name, one in headers.items())
    for name, header in headers.items():
        if name in continued:
            _left_out(f"{name}: a later log continues this run")
            continue
        found = 0
        try:
            for row in tidy_rows(name, header):
                found += 1
                yield row
        except Exception as error:
            raise unreadable(name, error) from None
        if found:
            used.append(name)
        else:
            _left_out(f"{name}: no sample with a score of nq, garage or bluff (status: {header.status})")
    if not used:
        raise DataError("no log with scored samples of nq, garage or bluff there")


def _left_out(line: str) -> None:
    click.echo(f"Warning: left out: {line}", err=True)
