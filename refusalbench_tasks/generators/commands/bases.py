"""`refusalbench bases`: questions to perturb."""

from collections.abc import Sequence
from pathlib import Path

import click

from refusalbench_tasks.command_output import tell_left_out
from refusalbench_tasks.errors import DataError


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write.")
@click.option("--count", type=click.IntRange(1), help="Draw this many questions.")
@click.option("--per-domain", type=click.IntRange(1), help="Draw this many per domain.")
@click.option("--all", "everything", is_flag=True, help="No draw: all that are left (upstream GaRAGe draws 20 else).")
@click.option("--domains", help="Comma list of domains; `paper`: the five that the paper takes from GaRAGe.")
@click.option("--seed", default=42, show_default=True, help="Seed of the draw.")
@click.option("--licence", help="Licence of the source; written into every row.")
@click.option("--solved-in", multiple=True, type=click.Path(exists=True), help="Keep what every log answers rightly.")
def bases(
    source: str, output: Path, count: int | None, per_domain: int | None, everything: bool, domains: str | None,
    seed: int, licence: str | None, solved_in: tuple[str, ...],
) -> None:  # fmt: skip
    """Curate base questions from SOURCE, and write them for `perturb`.

    SOURCE is nq or garage (originals of the released sets), garage-upstream or nq-upstream, hub:REPO or
    hub:REPO#SPLIT, all from the hub, or a file.
    """
    from refusalbench_tasks.datasets.item import RefusalItem
    from refusalbench_tasks.generators.curation import PAPER_DOMAINS, Draw, curate
    from refusalbench_tasks.generators.kit.bases import base_row
    from refusalbench_tasks.generators.solved import solved_in as solved
    from refusalbench_tasks.safe_writing import not_an_input, write_rows

    def keep(items: Sequence[RefusalItem]) -> Sequence[RefusalItem]:
        kept = solved(items, solved_in)
        tell_left_out(kept.left_out)
        where = "the log" if kept.logs == 1 else f"all {kept.logs} logs"
        click.echo(f"{len(kept.items)} of {len(items)} questions are answered rightly in {where}")
        if not kept.items:
            raise DataError("no question is left; are these runs of `nq` or `garage` over these bases?")
        return kept.items

    not_an_input(output, source)
    if everything and (count or per_domain):
        raise DataError("--all draws nothing; leave out --count and --per-domain")
    listed = tuple(name.strip() for name in (domains or "").split(",") if name.strip())
    chosen = PAPER_DOMAINS if listed == ("paper",) else listed
    draw = Draw(count, 0 if everything else per_domain, seed, chosen)
    found = curate(source, draw, keep) if solved_in else curate(source, draw)
    write_rows(output, [base_row(item) | {"licence": licence or found.licence} for item in found.items])
    for reason, number in found.left_out.items():
        places = found.examples.get(reason, ())
        named = f" ({', '.join(places)}{', ...' if number > len(places) else ''})" if places else ""
        click.echo(f"left out, {reason}: {number}{named}")
    click.echo(f"{len(found.items)} base questions from {found.rows} rows in {output}")
