"""`refusalbench bases`: questions to perturb."""

from pathlib import Path

import click

from refusalbench_tasks.commands.left_out import tell_left_out
from refusalbench_tasks.errors import DataError


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write.")
@click.option("--count", type=click.IntRange(1), help="Draw this many questions.")
@click.option("--per-domain", type=click.IntRange(1), help="Draw this many per domain.")
@click.option("--seed", default=42, show_default=True, help="Seed of the draw.")
@click.option("--licence", help="Licence of the source; written into every row.")
@click.option("--solved-in", multiple=True, type=click.Path(exists=True), help="Keep what every log answers rightly.")
def bases(
    source: str, output: Path, count: int | None, per_domain: int | None, seed: int, licence: str | None,
    solved_in: tuple[str, ...],
) -> None:  # fmt: skip
    """Curate base questions from SOURCE: nq, garage (hub), or a file, and write them for `perturb`."""
    from refusalbench_tasks.files.writing import write_jsonl
    from refusalbench_tasks.generators.bases import base_row
    from refusalbench_tasks.generators.curation import curate
    from refusalbench_tasks.generators.solved import solved_in as solved

    found = curate(source, count, per_domain, seed)
    items = found.items
    if solved_in:
        kept = solved(items, solved_in)
        items = kept.items
        tell_left_out(kept.left_out)
        where = "the log" if kept.logs == 1 else f"all {kept.logs} logs"
        click.echo(f"{len(items)} of {len(found.items)} questions are answered rightly in {where}")
        if not items:
            raise DataError("no question is left; are these runs of `nq` or `garage` over these bases?")
    write_jsonl(output, [base_row(item) | {"licence": licence or found.licence} for item in items])
    for reason, number in found.left_out.items():
        places = found.examples.get(reason, ())
        named = f" ({', '.join(places)}{', ...' if number > len(places) else ''})" if places else ""
        click.echo(f"left out, {reason}: {number}{named}")
    click.echo(f"{len(items)} base questions from {found.rows} rows in {output}")
