"""`refusalbench worlds`: rows from invented worlds, as many as you like."""

from pathlib import Path

import click

from refusalbench_tasks.errors import DataError

HUB_ROWS = 600
SHORTCUT_ROWS = 12_000
"""How many rows the hub's folder and the classifiers get by default."""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file: .jsonl or .parquet.",
)
@click.option(
    "-n",
    "--n",
    "number",
    type=click.IntRange(4),
    help="How many rows, a multiple of four.",
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Seed of the rows.",
)
@click.option(
    "--from",
    "start",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Index of the first row.",
)
@click.option("--domains", help="Comma list of domains; by default all.")
@click.option(
    "--layout",
    type=click.Choice(["nq", "garage", "bluff"]),
    default="nq",
    show_default=True,
    help="One passage, ten, or two sets of sources.",
)
@click.option(
    "--card", is_flag=True, help="Write a data card beside the file: rows.card.md."
)
@click.option(
    "--hub",
    type=click.Path(path_type=Path),
    help="Write a folder for the Hugging Face hub instead: 600 rows.",
)
@click.option(
    "--shortcuts",
    is_flag=True,
    help="Instead, print how well simple classifiers guess the label.",
)
def worlds(
    output: Path | None,
    number: int | None,
    seed: int,
    start: int,
    domains: str | None,
    layout: str,
    card: bool,
    hub: Path | None,
    shortcuts: bool,
) -> None:
    """Make synthetic rows with computed labels. No model, no network.

    The same seed and range always give the same rows, so --from can continue where a
    file ends. --shortcuts (needs scikit-learn) trains simple classifiers on 12,000 such
    rows by default, and on a control set whose planted shortcut they must find.

    \b
    Example: refusalbench worlds -n 400 --seed 7 -o rows.jsonl
    """
    from refusalbench_tasks.arguments import names_of
    from refusalbench_tasks.worlds.quad_rows import CELLS

    if hub is not None:
        if output or shortcuts or card or start or domains or layout != "nq":
            raise DataError("--hub goes with -n and --seed alone")
        from refusalbench_tasks.worlds.hub import write_hub

        hub_rows = number or HUB_ROWS
        write_hub(hub, hub_rows, seed)
        click.echo(f"{hub_rows} rows, eval.yaml and the card in {hub}")
        return
    wanted = number
    if wanted is None and shortcuts:
        wanted = SHORTCUT_ROWS
    if wanted is None or (output is None) != shortcuts:
        raise DataError(
            "give -o FILE and -n ROWS, or --hub FOLDER, or --shortcuts alone"
        )
    if wanted % CELLS or start % CELLS:
        raise DataError(
            f"rows come in fours: -n {wanted} and --from {start} must be multiples of"
            f" {CELLS}"
        )
    chosen = names_of(domains)
    if shortcuts:
        if layout != "nq":
            raise DataError(
                "--shortcuts goes with rows of one passage: leave out --layout"
            )
        from refusalbench_tasks.worlds.document import known_domains
        from refusalbench_tasks.worlds.shortcuts import report

        click.echo(report(seed, wanted // CELLS, known_domains(chosen)))
    elif output is not None:
        _write(output, layout, (seed, start, start + wanted), chosen, card)


def _write(
    path: Path,
    layout: str,
    which: tuple[int, int, int],
    domains: tuple[str, ...],
    with_card: bool,
) -> None:
    from refusalbench_tasks.safe_writing import write_rows, write_whole
    from refusalbench_tasks.worlds import quad, source_question
    from refusalbench_tasks.worlds.card import Card
    from refusalbench_tasks.worlds.document import known_domains
    from refusalbench_tasks.worlds.quad_rows import Layout, rows
    from refusalbench_tasks.worlds.source_rows import source_domains, source_rows

    seed, start, stop = which
    domain_option = f" --domains {','.join(domains)}" if domains else ""
    command = (
        f"refusalbench worlds -n {stop - start} --seed {seed} --from {start} --layout"
        f" {layout}{domain_option} -o {path.name}"
    )
    card = Card(command)
    if layout == "bluff":
        if path.suffix.lower() != ".jsonl":
            raise DataError(f"{path}: rows of --layout bluff go to a .jsonl file")
        records = source_rows(seed, start, stop, source_domains(domains))
        names: tuple[str, ...] = ("topic", "ambiguity_type")
        version = source_question.VERSION
    else:
        passages: Layout = "context" if layout == "nq" else "grounding"
        records = rows(seed, start, stop, known_domains(domains), passages)
        names = ("perturbation_class", "intensity", "lever_selected", "domain")
        version = quad.VERSION
    write_rows(path, card.passing(records, names))
    if with_card:
        write_whole(path.with_suffix(".card.md"), card.text(version))
    click.echo(f"{stop - start} rows in {path}")
