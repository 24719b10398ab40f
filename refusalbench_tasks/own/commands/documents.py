"""`refusalbench documents`: a folder of documents as a corpus of chunks, and rows from the questions in them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.own.documents.build import CorpusCard
    from refusalbench_tasks.own.documents.folder import LeftOut

SHOWN = 60
"""How many left-out files and dropped passages are printed; the card has all."""


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The corpus: a .jsonl file.")
@click.option("--least", default=120, show_default=True, help="Words up to which a passage is filled.")
@click.option("--most", default=350, show_default=True, help="Words that a passage never exceeds.")
@click.option("--shortest", default=40, show_default=True, help="Passages with fewer words are dropped.")
@click.option("--licence", default="", help="Licence of documents that name none themselves.")
@click.option("--most-mb", default=50.0, show_default=True, type=click.FloatRange(0, min_open=True), help="Per file.")
@click.option("--timeout", default=120.0, show_default=True, type=click.FloatRange(0, min_open=True),
              help="Seconds that a file may take.")  # fmt: skip
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1), help="How many files at once.")
@click.option("--unanswerable", "rows", type=click.Path(path_type=Path),
              help="Also write rows without a model, half of them unanswerable: .jsonl or .parquet.")  # fmt: skip
@click.option("--questions", "file", type=click.Path(path_type=Path),
              help="Questions of yours with their `answers`; else those in the documents.")  # fmt: skip
@click.option("-n", "--n", "count", type=click.IntRange(2), help="Rows of so many questions; of all without it.")
@click.option("--seed", default=0, show_default=True, help="Seed of that draw.")
def documents(source: Path, output: Path | None, rows: Path | None, **options: Any) -> None:
    """Cut the documents of a folder into passages with stable ids, and write them with a card beside (.json).

    Read are Markdown, text, HTML, PDF and DOCX. What cannot be used is named with the reason. With --unanswerable, two
    rows for each question: one with the passage that answers, one with the nearest that does not; SOURCE may then be a
    corpus file. Exit status 1 if nothing can be used.

    \b
    Example: refusalbench documents handbook -o corpus.jsonl
    """
    from refusalbench_tasks.own.documents.corpus import read_corpus
    from refusalbench_tasks.own.questions.swap_rows import write_swaps
    from refusalbench_tasks.safe_writing import not_an_input

    is_corpus = source.suffix.lower() == ".jsonl" and source.is_file()
    if is_corpus and (rows is None or output is not None):
        raise DataError(f"{source}: this is a corpus already; give --unanswerable ROWS, and no -o")
    if output is None and not is_corpus:
        raise DataError("documents: give -o CORPUS.jsonl, where the passages are written")
    if output is not None:
        _build(source, output, options)
    if rows is not None:
        corpus = output or source
        not_an_input(rows, corpus, options["file"])
        for line in write_swaps(read_corpus(corpus), rows, options["file"], options["count"], options["seed"]):
            click.echo(line)


def _build(folder: Path, output: Path, given: Mapping[str, Any]) -> None:
    from refusalbench_tasks.own.documents.build import DocumentSettings, build_corpus
    from refusalbench_tasks.own.documents.passages import Lengths

    if output.suffix.lower() != ".jsonl":
        raise DataError(f"{output}: a corpus is a .jsonl file")
    lengths = Lengths(given["least"], given["most"], given["shortest"])
    limits = int(given["most_mb"] * 1e6), given["timeout"], given["processes"]
    card = build_corpus(folder, output, DocumentSettings(lengths, given["licence"].strip(), *limits))
    _tell(card)
    if not card.chunks:
        raise DataError(f"{folder}: no document can be used, nothing is written")
    click.echo(f"documents: {card.documents:,}, chunks: {card.chunks:,}, words: {card.words:,}, in {output}")


def _tell(card: "CorpusCard") -> None:
    _table("left out", card.left_out)
    _table("dropped from", card.dropped)
    _table("note on", card.notes)
    for name, counts in (("formats", card.kinds), ("licences", card.licences)):
        if counts:
            click.echo(f"{name}: {', '.join(f'{number:,} {_line(kind)}' for kind, number in sorted(counts.items()))}")


def _table(title: str, items: "list[LeftOut]") -> None:
    from refusalbench_tasks.tables import aligned

    if not items:
        return
    begins = any(one.begins for one in items)
    shown = [[_line(one.source), _line(one.reason), *([_line(one.begins)] if begins else [])] for one in items[:SHOWN]]
    header = [title, "reason", *(["begins"] if begins else [])]
    click.echo(aligned([header, *shown], [False] * len(header)))
    click.echo(f"and {len(items) - SHOWN:,} more: see the card\n" if len(items) > SHOWN else "")


def _line(text: str) -> str:
    from refusalbench_tasks.terminal import one_line

    return one_line(text)
