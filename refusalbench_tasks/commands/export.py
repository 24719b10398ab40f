"""`refusalbench export`: a data set from generation logs."""

from pathlib import Path

import click

from refusalbench_tasks.commands.left_out import tell_left_out


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--per-stratum", type=click.IntRange(1), default=22, show_default=True, help="Of each class x intensity.")
@click.option("--per-generator", type=click.IntRange(1), default=400, show_default=True, help="Rows per writer.")
@click.option("--all", "everything", is_flag=True, help="No draw: every accepted item.")
@click.option("--paper", is_flag=True, help="Draw by chance inside a stratum, as released, not balanced over levers.")
@click.option(
    "--drop",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A filled sheet; what it fails is left out.",
)
@click.option("--seed", default=42, show_default=True, help="Seed of draw and sheet.")
@click.option("--per-cell", type=click.IntRange(1), default=10, show_default=True, help="Items per cell in the sheet.")
@click.option("--prefix", default="RB-FRESH", show_default=True, help="How row ids begin.")
@click.option("--licence", help="Licence of the set; the default is that of the base questions.")
@click.option("--parquet", is_flag=True, help="Write rows.parquet as well.")
def export(
    logs: tuple[str, ...], output: Path, per_stratum: int, per_generator: int, everything: bool, seed: int,
    per_cell: int, prefix: str, licence: str | None, parquet: bool, paper: bool, drop: tuple[Path, ...],
) -> None:  # fmt: skip
    """Merge the accepted items of LOGS into a data set that `nq` or `garage` runs."""
    from refusalbench_tasks.generators.export import export as write
    from refusalbench_tasks.generators.generation_logs import read_runs
    from refusalbench_tasks.generators.validation_sheet import rejected_items

    stratum, total = (None, None) if everything else (per_stratum, per_generator)
    found = read_runs(logs)
    tell_left_out(found.left_out)
    rejected = rejected_items(drop)
    done = write(found.runs, output, stratum, total, seed, per_cell, prefix, licence, parquet, paper, rejected)
    click.echo(f"{done.rows} rows, {done.controls} controls")
    click.echo(
        f"left out: {done.repeats} repeats, {done.conflicts} with conflicting labels, {done.near_duplicates} "
        f"near-duplicates with different labels, {done.unchanged} without a changed word"
    )
    if drop:
        click.echo(f"dropped: {done.dropped} of the {len(rejected)} that people failed")
    click.echo("\n".join(str(file) for file in done.files))
