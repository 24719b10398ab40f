"""`refusalbench documents`: a folder of documents as a corpus of chunks, and rows from
the questions in them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from refusalbench_tasks.command_output import PATH
from refusalbench_tasks.errors import DataError

SHOWN = 60
"""How many left-out files and dropped passages are printed; the card has all."""


@click.command()
@click.argument("source", type=PATH)
@click.option(
    "-o",
    "--output",
    type=PATH,
    help="The corpus: a .jsonl file.",
)
@click.option(
    "--least",
    default=120,
    help="Fill passages up to this many words.",
)
@click.option(
    "--most",
    default=350,
    help="Most words of a passage.",
)
@click.option(
    "--shortest",
    default=40,
    help="Sections with fewer words join a neighbour.",
)
@click.option(
    "--licence",
    default="",
    show_default=False,
    help="Licence of documents that name none themselves.",
)
@click.option(
    "--unanswerable",
    "rows",
    type=PATH,
    help=(
        "Also write rows without a model, half of them unanswerable: .jsonl or"
        " .parquet."
    ),
)
def documents(
    source: Path,
    output: Path | None,
    rows: Path | None,
    **options: Any,
) -> None:
    """Cut the documents of a folder into passages with stable ids; write these and a
    card (.json).

    Reads Markdown, text, HTML, PDF, DOCX, PPTX and XLSX. Names what cannot be used,
    with the reason. With --unanswerable, two rows for each question: one with the
    passage that answers, one with the nearest that does not; SOURCE may then be a
    corpus file. Exit status 1 if nothing can be used.

    \b
    Example: refusalbench documents handbook -o corpus.jsonl
    """
    from refusalbench_tasks.own.documents.corpus import read_corpus
    from refusalbench_tasks.own.questions.swap_rows import write_swaps
    from refusalbench_tasks.safe_writing import not_an_input

    is_corpus = source.suffix.lower() == ".jsonl" and source.is_file()
    if is_corpus and (rows is None or output is not None):
        raise DataError(
            f"{source}: this is a corpus already; give --unanswerable ROWS, and no -o"
        )
    if output is None and not is_corpus:
        raise DataError(
            "documents: give -o CORPUS.jsonl, where the passages are written"
        )
    if output is not None:
        _build(source, output, options)
    if rows is not None:
        corpus = output or source
        not_an_input(rows, corpus)
        for line in write_swaps(read_corpus(corpus), rows):
            click.echo(line)


def _build(folder: Path, output: Path, given: Mapping[str, Any]) -> None:
    from refusalbench_tasks.own.documents.build import build_corpus
    from refusalbench_tasks.own.documents.passages import DocumentSettings
    from refusalbench_tasks.replies.outside_text import one_line

    card = build_corpus(folder, output, DocumentSettings(**given))
    for kind, items in (
        ("left out", card.left_out),
        ("dropped", card.dropped),
        ("note", card.notes),
    ):
        for item in items[:SHOWN]:
            begins = f": {item.begins}" if item.begins else ""
            click.echo(one_line(f"{kind}, {item.source}: {item.reason}{begins}"))
        if len(items) > SHOWN:
            click.echo(f"and {len(items) - SHOWN:,} more: see the card")
    if not card.chunks:
        raise DataError(f"{folder}: no document can be used, nothing is written")
    click.echo(
        f"documents: {card.documents:,}, chunks: {card.chunks:,}, words:"
        f" {card.words:,}, in {output}"
    )
