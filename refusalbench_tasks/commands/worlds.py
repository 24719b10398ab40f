"""`refusalbench worlds`: rows from invented worlds, as many as you like."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.worlds.production import Range


@click.command()
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file: .jsonl or .parquet.")
@click.option("-n", "--rows", "number", type=click.IntRange(4), help="How many rows, from --from on.")
@click.option("--seed", default=0, show_default=True, help="Which rows.")
@click.option("--from", "start", default=0, show_default=True, type=click.IntRange(0), help="The first row.")
@click.option("--to", "stop", type=click.IntRange(4), help="The row behind the last one, instead of -n.")
@click.option("--domains", help="Comma list of domains; all without it.")
@click.option("--layout", type=click.Choice(["nq", "garage"]), default="nq", show_default=True, help="Passages.")
@click.option("--per-file", type=click.IntRange(4), help="Split into files of so many rows: rows-00000.parquet, ...")
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1), help="How many at once.")
def worlds(
    output: Path, number: int | None, seed: int, start: int, stop: int | None, domains: str | None,
    layout: str, per_file: int | None, processes: int,
) -> None:  # fmt: skip
    """Make rows whose labels are computed, each proven by a reader of the text. No model, no network.

    The same seed and range give the same rows, whatever the number of processes and files.
    """
    from refusalbench_tasks.datasets.benchmarks import BENCHMARKS
    from refusalbench_tasks.datasets.selection import names_of
    from refusalbench_tasks.worlds.pack import DOMAINS
    from refusalbench_tasks.worlds.production import Range
    from refusalbench_tasks.worlds.rows import known_domains

    if (number is None) == (stop is None):
        raise DataError("give either -n or --to")
    end = start + number if number is not None else stop or 0
    chosen = known_domains(names_of(domains) or DOMAINS)
    passages = {benchmark.task: benchmark.passages for benchmark in BENCHMARKS}[layout]
    size = per_file or end - start
    pieces = [Range(seed, at, min(at + size, end), chosen, passages) for at in range(start, end, size)]
    for piece in pieces:
        piece.check()
    for at, piece in enumerate(pieces):
        path = output if per_file is None else output.with_name(f"{output.stem}-{at:05}{output.suffix}")
        _write(piece, path, processes)


def _write(piece: "Range", path: Path, processes: int) -> None:
    from refusalbench_tasks.files.row_files import row_file
    from refusalbench_tasks.worlds.production import produce

    written = 0
    with row_file(path) as file:
        for batch in produce(piece, processes):
            file.write(batch)
            written += len(batch)
    click.echo(f"{written} rows in {path}")
