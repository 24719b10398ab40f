"""Ten passages for a question: its chunk, others that give the same answer, and noise that gives none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.refusal_rows import MOST_SIGNAL, PASSAGES
from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.passage import passage_of
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.rivals import Mark

FROM_DOCUMENT = 2
"""Noise that is taken first from the question's own document, where there is some: the nearest miss of a retriever."""
_SEARCHED = 5

Nearest = Callable[[str, int], Sequence[tuple[int, float]]]


@dataclass(frozen=True)
class Ten:
    """Ten chunks in the order in which they are shown, and the positions of those with the answer."""

    chunks: tuple[Chunk, ...]
    signal: tuple[int, ...]


def candidates_of(question: Question, chunk: Chunk, corpus: Sequence[Chunk], nearest: Nearest, k: int) -> list[Chunk]:
    """Return k other chunks for a question: two of its own document, then the nearest, each in the order of `nearest`.

    Where fewer share a word with the question, others of the corpus follow, in an order that depends on the question
    alone. `nearest` gives positions in the corpus.
    """
    found = [corpus[position] for position, _ in nearest(question.question, k * _SEARCHED)]
    found = [one for one in found if one.id != chunk.id]
    own = [one for one in found if one.doc_id == chunk.doc_id][:FROM_DOCUMENT]
    chosen = {one.id: one for one in (*own, *found)}
    if len(chosen) < k:
        rest = [one for one in corpus if one.id != chunk.id and one.id not in chosen]
        chosen |= {one.id: one for one in sorted(rest, key=lambda one: rank(f"{question.id}|{one.id}", 0))}
    return list(chosen.values())[:k]


def ten_passages(
    question: Question, chunk: Chunk, candidates: Sequence[Chunk], marks: Sequence[Sequence[Mark]], seed: int = 0
) -> Ten | str:
    """Return the ten passages of a question, or why there are none: `rival_answer` or `too_few_passages`.

    `marks` holds those of each reader, in the order of the candidates. A chunk is signal only if every reader says
    `same` and the answer stands in it, and noise only if every reader says `none` and the answer does not; any other is
    left out. If one reader finds another answer in one, the question has no right answer in this corpus. Raises
    ValueError without a reader, or if marks are missing.
    """
    if not marks or any(len(own) != len(candidates) for own in marks):
        raise ValueError("every reader marks every candidate")
    said = [set(column) for column in zip(*marks, strict=True)]
    if any("another" in one for one in said):
        return "rival_answer"
    asked = Asked(question.question, question.answers, (passage_of(chunk),))
    holds = [asked.given_in((passage_of(one),)) for one in candidates]
    told = list(zip(candidates, said, holds, strict=True))
    same = [one for one, marked, held in told if marked == {"same"} and held][: MOST_SIGNAL - 1]
    noise = [one for one, marked, held in told if marked == {"none"} and not held]
    own = [one for one in noise if one.doc_id == chunk.doc_id][:FROM_DOCUMENT]
    others = [one for one in noise if one not in own]
    signal = [chunk, *same]
    chosen = [*signal, *own, *others][:PASSAGES]
    if len(chosen) < PASSAGES:
        return "too_few_passages"
    shown = sorted(chosen, key=lambda one: rank(f"{question.id}|{one.id}", seed))
    ids = {one.id for one in signal}
    return Ten(tuple(shown), tuple(k for k, one in enumerate(shown) if one.id in ids))
