"""`refusalbench worlds`: rows from invented worlds, as many as you like."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.datasets.worlds import Kind

_OF_QUADS = ("perturbation_class", "intensity", "lever_selected", "domain")
LAYOUTS: Mapping[str, tuple["Kind", tuple[str, ...]]] = {
    "nq": ("context", _OF_QUADS),
    "garage": ("grounding", _OF_QUADS),
    "garage-hard": ("hard", _OF_QUADS),
    "bluff": ("sources", ("topic", "ambiguity_type")),
}
"""The kind of rows of a layout, and the columns that its card counts."""


@click.command()
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The file: .jsonl or .parquet.",
)
@click.option(
    "-n",
    "--n",
    "number",
    required=True,
    type=click.IntRange(4),
    help="How many rows, a multiple of four.",
)
@click.option(
    "--seed",
    default=0,
    type=click.IntRange(0),
    help="Seed of the rows.",
)
@click.option(
    "--from",
    "start",
    default=0,
    type=click.IntRange(0),
    help="Index of the first row.",
)
@click.option("--domains", help="Comma list of domains; by default all.")
@click.option(
    "--layout",
    type=click.Choice(list(LAYOUTS)),
    default="nq",
    help="One passage, ten, ten with two steps, or two sets of sources.",
)
@click.option(
    "--card", is_flag=True, help="Write a data card beside the file: rows.card.md."
)
def worlds(
    output: Path,
    number: int,
    seed: int,
    start: int,
    domains: str | None,
    layout: str,
    card: bool,
) -> None:
    """Make synthetic rows with computed labels. No model, no network.

    The same seed and range always give the same rows, so --from can continue where a
    file ends.

    \b
    Example: refusalbench worlds -n 400 --seed 7 -o rows.jsonl
    """
    from refusalbench_tasks.arguments import names_of
    from refusalbench_tasks.datasets.worlds import synthetic_rows
    from refusalbench_tasks.safe_writing import write_rows, write_whole

    from .card import Card

    if number % 4 or start % 4:
        raise DataError(
            f"rows come in fours: -n {number} and --from {start} must be multiples of 4"
        )
    if layout == "bluff" and output.suffix.lower() != ".jsonl":
        raise DataError(f"{output}: rows of --layout bluff go to a .jsonl file")
    kind, columns = LAYOUTS[layout]
    chosen = names_of(domains)
    synthetic = synthetic_rows(
        kind,
        seed,
        start,
        start + number,
        chosen,
    )
    domain_option = f" --domains {','.join(chosen)}" if chosen else ""
    made_with = Card(
        f"refusalbench worlds -n {number} --seed {seed} --from {start}"
        f" --layout {layout}{domain_option} -o {output.name}"
    )
    write_rows(output, made_with.passing(synthetic.rows, columns))
    if card:
        text = made_with.text(synthetic.version)
        write_whole(output.with_suffix(".card.md"), text)
    click.echo(f"{number} rows in {output}")
