"""`refusalbench documents`: a folder of documents as a corpus of chunks."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.own.documents.card import Card

SHOWN = 60
"""How many left-out files are printed; the card has all."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The corpus: a .jsonl file.")
@click.option("--least", default=120, show_default=True, help="Words up to which a passage is filled.")
@click.option("--most", default=350, show_default=True, help="Words that a passage never exceeds.")
@click.option("--shortest", default=40, show_default=True, help="Passages with fewer words are dropped.")
@click.option("--licence", default="", help="Licence of documents that name none themselves.")
@click.option("--most-mb", default=50.0, show_default=True, type=click.FloatRange(0, min_open=True), help="Per file.")
@click.option("--timeout", default=120.0, show_default=True, type=click.FloatRange(0, min_open=True),
              help="Seconds that a file may take.")  # fmt: skip
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1), help="How many files at once.")
def documents(
    folder: Path, output: Path, least: int, most: int, shortest: int, licence: str, most_mb: float, timeout: float,
    processes: int,
) -> None:  # fmt: skip
    """Cut the documents of FOLDER into passages with stable ids, and write them with a card beside (.json).

    Read are Markdown, text, HTML, PDF and DOCX. What cannot be read is named with the reason and left out. Exit
    status 1 if nothing can be used.
    """
    from refusalbench_tasks.own.documents.build import Settings, build_corpus
    from refusalbench_tasks.own.documents.split import Lengths

    if output.suffix.lower() != ".jsonl":
        raise DataError(f"{output}: a corpus is a .jsonl file")
    settings = Settings(Lengths(least, most, shortest), licence.strip(), int(most_mb * 1e6), timeout, processes)
    card = build_corpus(folder, output, settings)
    _tell(card)
    if not card.chunks:
        raise DataError(f"{folder}: no document can be used, nothing is written")
    click.echo(f"documents: {card.documents:,}, chunks: {card.chunks:,}, words: {card.words:,}, in {output}")


def _tell(card: "Card") -> None:
    from refusalbench_tasks.tables import aligned
    from refusalbench_tasks.terminal import one_line

    if card.left_out:
        shown = [[one_line(one.source), one_line(one.reason)] for one in card.left_out[:SHOWN]]
        click.echo(aligned([["left out", "reason"], *shown], [False, False]))
        if len(card.left_out) > SHOWN:
            click.echo(f"and {len(card.left_out) - SHOWN:,} more" + (": see the card" if card.chunks else ""))
        click.echo()
    for note in card.notes[:SHOWN]:
        click.echo(f"note: {one_line(note.source)}: {one_line(note.reason)}")
    for name, counts in (("formats", card.kinds), ("licences", card.licences), ("dropped passages", card.dropped)):
        if counts:
            click.echo(f"{name}: {_counted(counts)}")
    if card.folded:
        click.echo(f"near duplicates folded: {card.folded:,}")


def _counted(counts: Mapping[str, int]) -> str:
    from refusalbench_tasks.terminal import one_line

    return ", ".join(f"{number:,} {one_line(name)}" for name, number in sorted(counts.items()))
