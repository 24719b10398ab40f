"""`refusalbench unanswerable`: rows without an answer from one's own documents, without a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.own.documents.chunk import Chunk
    from refusalbench_tasks.own.questions.found import Question

NAMED = 5
"""How many questions without a row are named."""


@click.command()
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The rows: .jsonl or .parquet.")
@click.option("--questions", "file", type=click.Path(path_type=Path),
              help="Questions of yours, each with `answers` or a `chunk_id`; else those in the documents.")  # fmt: skip
@click.option(
    "--layout", type=click.Choice(["nq", "garage"]), default="nq", show_default=True, help="One passage, or ten."
)
@click.option("-n", "--count", type=click.IntRange(2), help="Draw so many questions; all without it.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draw.")
def unanswerable(
    corpus: Path, output: Path, file: Path | None, layout: str, count: int | None, seed: int
) -> None:  # fmt: skip
    """Pair questions of CORPUS with the nearest passage that does not answer them, and with their own. No model.

    Two rows a question: one is answerable, in the other the information is missing. A passage answers another
    question if the answer, or half the words of its sentence, stands in it.
    """
    import random

    from refusalbench_tasks.own.documents.corpus import read_corpus
    from refusalbench_tasks.safe_writing import not_an_input, write_rows

    not_an_input(output, corpus, file)
    chunks = read_corpus(corpus)
    questions = _questions(file, chunks)
    if count is not None and count < len(questions):
        drawn = sorted(random.Random(seed).sample(range(len(questions)), count))
        questions = [questions[k] for k in drawn]
    rows = _rows(questions, chunks, layout, seed)
    if not rows:
        raise DataError(f"{corpus}: no question has a passage near it that does not answer it; add documents")
    write_rows(output, rows)
    _tell(rows, layout)
    click.echo(f"{len(rows)} rows, half of them answerable, from {len(rows) // 2} questions in {output}")


def _questions(file: Path | None, chunks: "tuple[Chunk, ...]") -> "list[Question]":
    from refusalbench_tasks.own.questions.found import questions_in, questions_of_file
    from refusalbench_tasks.terminal import one_line

    if file is None:
        found = questions_in(chunks)
        if not found:
            raise DataError("no heading or line of the documents asks a question; give --questions FILE")
        return found
    found, left_out = questions_of_file(file, chunks)
    for place, reason in left_out[:NAMED]:
        click.echo(f"left out, {place}: {one_line(reason)}")
    if len(left_out) > NAMED:
        click.echo(f"left out: {len(left_out) - NAMED} more")
    if not found:
        raise DataError(f"{file}: no question is answered by a chunk of the corpus")
    return found


def _rows(questions: "list[Question]", chunks: "tuple[Chunk, ...]", layout: str, seed: int) -> list[dict[str, Any]]:
    from refusalbench_tasks.generators.kit.search import Index
    from refusalbench_tasks.own.questions.swap_rows import one_passage_rows, ten_passage_rows
    from refusalbench_tasks.own.questions.swaps import swaps

    index = Index([chunk.text for chunk in chunks])
    if layout == "garage":
        rows = [row for _, pair in ten_passage_rows(questions, chunks, index, seed) for row in pair]
    else:
        rows = list(one_passage_rows(swaps(questions, chunks, index), chunks))
    lost = len(questions) - len(rows) // 2
    if lost:
        click.echo(f"left out, too few passages near it that do not answer: {lost} of {len(questions)} questions")
    return rows


def _tell(rows: list[dict[str, Any]], layout: str) -> None:
    from refusalbench_tasks.own.questions.swap_rows import closeness

    if layout == "nq":
        crossed = sum(bool(row["crossed"]) for row in rows) // 2
        click.echo(f"crossed, so that the passage is in an answerable row too: {crossed} of {len(rows) // 2}")
    for answerable, (share, n) in closeness(rows).items():
        kind = "answerable" if answerable else "unanswerable"
        click.echo(f"words of the question that stand in the passage, {kind}: {share:.2f} (n = {n})")
