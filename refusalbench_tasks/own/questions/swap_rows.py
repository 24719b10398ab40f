"""Rows without a model: each question with its own passage, and with the nearest one
that does not answer it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.refusal_rows import digest
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.search import Index
from refusalbench_tasks.generators.kit.words import word_count
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.chunk_text import matter, passage_of
from refusalbench_tasks.own.questions.faq_questions import FoundQuestion, questions_in
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)

GENERATOR = "swap"
LEVER = "Passage Swapped"
NEAR = 50
"""How many of the nearest passages are looked at for one that does not answer."""
GIVEN = 0.5
SAME_QUESTION = 0.6
"""Shares of words (`matter`) from which on a passage may say what an answer says, and a
heading ask the same.

The first is of the answer's own words, the second Jaccard's.
"""
LEAST_WORDS = 12
"""Words of a passage that can stand without its question: "Yes, on a lead." answers
nothing, or anything.
"""
Row = dict[str, Any]


def may_answer(question: FoundQuestion, own: Chunk, other: Chunk) -> bool:
    """Return whether another chunk may answer a question, told by words alone: what
    may, is never taken as a swap.

    It may if it is of the same section, asks the same, has most of the answer's words,
    or is short.
    """
    if own.doc_id == other.doc_id and (
        own.headings == other.headings or not own.headings
    ):
        return True
    mine = matter(question.text)
    theirs = matter(other.headings[-1] if other.headings else "")
    if mine and theirs and len(mine & theirs) >= SAME_QUESTION * len(mine | theirs):
        return True
    every = matter(" ".join(question.answers))
    # those that an answer has beside the question's
    words = every - mine or every
    return word_count(other.text) < LEAST_WORDS or len(
        words & matter(other.text)
    ) >= GIVEN * len(words)


def nearest_without_answer(
    question: FoundQuestion, corpus: Sequence[Chunk], index: Index
) -> int | None:
    """Return the position of the chunk nearest to a question (BM25) that does not
    answer it, of the NEAR nearest.

    None if there is none: a chunk that shares no word with the question is not near.
    """
    own = corpus[question.place]
    near = index.nearest(question.text, NEAR)
    return next(
        (
            at
            for at, _ in near
            if at != question.place and not may_answer(question, own, corpus[at])
        ),
        None,
    )


def write_swaps(corpus: Sequence[Chunk], output: Path) -> Iterator[str]:
    """Write two rows for each question of a corpus, and yield what is to be told, each
    loss by name.

    Raises DataError if there is no question, and if none has a passage near it that
    does not answer it.
    """
    index = Index([passage_of(chunk) for chunk in corpus])
    questions = questions_in(corpus)
    if not questions:
        raise DataError(
            "no heading or line of the documents asks a question; let a model write"
            " some (`question`)"
        )
    rows = []
    for question, pair in _pairs(questions, corpus, index):
        rows += pair
        if word_count(question.context) < LEAST_WORDS:
            yield (
                "left out, its passage is too short without the question:"
                f" {one_line(question.text)}"
            )
        elif not pair:
            yield (
                "left out, no passage near it that does not answer:"
                f" {one_line(question.text)}"
            )
    if not rows:
        raise DataError(
            "no question has a passage near it that does not answer it; add documents"
        )
    write_rows(output, rows)
    yield (
        f"{len(rows)} rows, half of them answerable, from {len(rows) // 2} questions in"
        f" {output}"
    )


def _pairs(
    questions: Sequence[FoundQuestion], corpus: Sequence[Chunk], index: Index
) -> Iterator[tuple[FoundQuestion, list[Row]]]:
    """Yield each question with two rows in the layout of `nq`, or with none."""
    # a passage is shown in one form: without the question that stands in it
    contexts = {question.place: question.context for question in reversed(questions)}
    for question in questions:
        long = word_count(question.context) >= LEAST_WORDS
        other = nearest_without_answer(question, corpus, index) if long else None
        yield (
            question,
            [
                _row(
                    question,
                    corpus[question.place],
                    corpus[place],
                    contexts.get(place, corpus[place].text),
                )
                for place in ((question.place, other) if other is not None else ())
            ],
        )


def _row(question: FoundQuestion, own: Chunk, shown: Chunk, context: str) -> Row:
    base = f"swap-{digest(own.id, question.text)}"
    answerable = own is shown
    missing = PerturbationClass.MISSING_INFO
    intensity = Intensity.HIGH
    # the same columns in each row, as Parquet wants them
    return {
        "id": f"{base}-{'own' if answerable else 'swapped'}",
        "source_id": base,
        "pair_id": base,
        "query": question.text,
        "context": context,
        "answers": list(question.answers),
        "class": None if answerable else missing.value,
        "intensity": (Intensity.CLEAN if answerable else intensity).value,
        "expected_rag_behavior": (
            (Label.ANSWER if answerable else expected_label(missing, intensity)).value
        ),
        "lever": "" if answerable else LEVER,
        "generator": GENERATOR,
        "question_origin": question.origin,
        "answer_type": "sentence",
        "answer_chunk": own.id,
        "document": own.source,
        "chunk": shown.id,
        "source": shown.source,
        "licence": shown.licence,
    }
