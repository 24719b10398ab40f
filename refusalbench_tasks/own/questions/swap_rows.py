"""Rows without a model: each question with its own passage, and with the nearest one
that does not answer it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from refusalbench_tasks.corpus.words import word_count
from refusalbench_tasks.datasets.refusal_rows import digest
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.corpus import Chunk
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass, expected_label

from .chunk_text import Searched, matter
from .faq_questions import FoundQuestion, questions_in

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


def may_hold_answer(question: FoundQuestion, other: Chunk) -> bool:
    """Return whether another chunk may answer a question, told by words alone: what
    may, is never taken as a swap.

    It may if it is of the same section, asks the same, has most of the answer's words,
    or is short.
    """
    answering = question.chunk
    in_section = answering.headings in ((), other.headings)
    if in_section and answering.doc_id == other.doc_id:
        return True
    asked = matter(question.text)
    heading = matter(other.headings[-1] if other.headings else "")
    shared = len(asked & heading)
    if shared and shared >= SAME_QUESTION * len(asked | heading):
        return True
    answer = matter(" ".join(question.answers))
    # those that an answer has beside the question's
    words = answer - asked or answer
    if len(words & matter(other.text)) >= GIVEN * len(words):
        return True
    return word_count(other.text) < LEAST_WORDS


def nearest_without_answer(question: FoundQuestion, corpus: Searched) -> Chunk | None:
    """Return the chunk nearest to a question (BM25) that does not answer it, of the
    NEAR nearest.

    None if there is none: a chunk that shares no word with the question is not near.
    """
    for other in corpus.nearest(question.text, NEAR):
        if other is not question.chunk and not may_hold_answer(question, other):
            return other
    return None


def write_swaps(corpus: Sequence[Chunk], output: Path) -> Iterator[str]:
    """Write two rows for each question of a corpus, and yield what is to be told, each
    loss by name.

    Raises DataError if there is no question, and if none has a passage near it that
    does not answer it.
    """
    searched = Searched(corpus)
    questions = questions_in(corpus)
    if not questions:
        raise DataError(
            "no heading or line of the documents asks a question; let a model write"
            " some (`question`)"
        )
    # a passage is shown in one form: without the question that stands in it
    contexts = {question.chunk.id: question.context for question in reversed(questions)}
    rows = []
    for question in questions:
        other = None
        left_out = "its passage is too short without the question"
        if word_count(question.context) >= LEAST_WORDS:
            other = nearest_without_answer(question, searched)
            left_out = "no passage near it that does not answer"
        if other is None:
            yield f"left out, {left_out}: {one_line(question.text)}"
            continue
        for shown in (question.chunk, other):
            rows.append(_row(question, shown, contexts.get(shown.id, shown.text)))
    if not rows:
        raise DataError(
            "no question has a passage near it that does not answer it; add documents"
        )
    write_rows(output, rows)
    yield (
        f"{len(rows)} rows, half of them answerable, from {len(rows) // 2} questions in"
        f" {output}"
    )


def _row(question: FoundQuestion, shown: Chunk, context: str) -> Row:
    answering = question.chunk
    base = f"swap-{digest(answering.id, question.text)}"
    answerable = answering is shown
    perturbation = PerturbationClass.MISSING_INFO
    kind, intensity = ("swapped", Intensity.HIGH)
    lever = LEVER
    if answerable:
        kind, intensity = ("own", Intensity.CLEAN)
        lever = ""
    # the same columns in each row, as Parquet wants them
    return {
        "id": f"{base}-{kind}",
        "source_id": base,
        "pair_id": base,
        "query": question.text,
        "context": context,
        "answers": list(question.answers),
        "class": None if answerable else perturbation.value,
        "intensity": intensity.value,
        "expected_rag_behavior": expected_label(perturbation, intensity).value,
        "lever": lever,
        "generator": GENERATOR,
        "question_origin": question.origin,
        "answer_type": "sentence",
        "answer_chunk": answering.id,
        "document": answering.source,
        "chunk": shown.id,
        "source": shown.source,
        "licence": shown.licence,
    }
