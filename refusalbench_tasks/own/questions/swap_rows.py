"""Rows without a model: each question with its own passage, and with the nearest one that does not answer it."""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.refusal_rows import digest
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.answers import stands_in
from refusalbench_tasks.generators.kit.search import Index
from refusalbench_tasks.generators.kit.words import word_count
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.found import FoundQuestion, questions_in, questions_of_file
from refusalbench_tasks.own.questions.passage import matter, passage_of
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, expected_label
from refusalbench_tasks.terminal import one_line

GENERATOR, LEVER = "swap", "Passage Swapped"
NEAR = 50
"""How many of the nearest passages are looked at for one that does not answer."""
GIVEN, SAME_QUESTION = 0.5, 0.6
"""Shares of words (`matter`) from which on a passage may say what an answer says, and a heading ask the same.

The first is of the answer's own words, the second Jaccard's."""
LEAST_WORDS = 12
"""Words of a passage that can stand without its question: "Yes, on a lead." answers nothing, or anything."""
Row = dict[str, Any]


class AnswerRule:
    """Whether a chunk may answer a question, told by words alone: what may, is never taken as a swap."""

    def __init__(self, question: FoundQuestion, corpus: Sequence[Chunk]) -> None:
        self._question, self._corpus = question, corpus

    def may_answer(self, place: int) -> bool:
        """Whether the chunk is of the same section, asks the same, has the answer or most of its words, or is short."""
        own, other = self._corpus[self._question.place], self._corpus[place]
        if place == self._question.place or self._same_section(own, other) or self._asks_the_same(other):
            return True
        if word_count(other.text) < LEAST_WORDS:
            return True
        if not self._question.is_sentence:
            return stands_in(self._question.answers, other.text)
        return not self._words or len(self._words & matter(other.text)) >= GIVEN * len(self._words)

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of matter that an answer sentence has beside those of the question."""
        every = matter(" ".join(self._question.answers))
        return every - matter(self._question.text) or every

    def _asks_the_same(self, other: Chunk) -> bool:
        mine, theirs = matter(self._question.text), matter(other.headings[-1] if other.headings else "")
        return bool(mine and theirs) and len(mine & theirs) >= SAME_QUESTION * len(mine | theirs)

    def _same_section(self, own: Chunk, other: Chunk) -> bool:
        """Sections of one document, and those that were folded into one of its chunks."""
        if own.doc_id == other.doc_id and (own.headings == other.headings or not own.headings):
            return True
        return other.source in {twin.source for twin in own.also} or own.source in {twin.source for twin in other.also}


def nearest_without_answer(question: FoundQuestion, corpus: Sequence[Chunk], index: Index) -> int | None:
    """Return the position of the chunk nearest to a question (BM25) that does not answer it, of the NEAR nearest.

    None if there is none: a chunk that shares no word with the question is not near.
    """
    rule = AnswerRule(question, corpus)
    return next((place for place, _ in index.nearest(question.text, NEAR) if not rule.may_answer(place)), None)


def write_swaps(
    corpus: Sequence[Chunk], output: Path, file: Path | None, count: int | None, seed: int
) -> Iterator[str]:
    """Write two rows for each question of a corpus or a file, and yield what is to be told, each loss by name.

    Raises DataError if there is no question, and if none has a passage near it that does not answer it.
    """
    index = Index([passage_of(chunk) for chunk in corpus])
    questions, lost = (questions_in(corpus), []) if file is None else questions_of_file(file, corpus, index)
    yield from (f"left out, {place}: {one_line(reason)}" for place, reason in lost)
    if not questions and file is None:
        raise DataError("no heading or line of the documents asks a question; give --questions FILE")
    if not questions:
        raise DataError(f"{file}: no question is answered by a chunk of the corpus")
    if count is not None and count < len(questions):
        drawn = sorted(random.Random(seed).sample(range(len(questions)), count))
        questions = [questions[k] for k in drawn]
    rows = []
    for question, pair in _pairs(questions, corpus, index):
        rows += pair
        if word_count(question.context) < LEAST_WORDS:
            yield f"left out, its passage is too short without the question: {one_line(question.text)}"
        elif not pair:
            yield f"left out, no passage near it that does not answer: {one_line(question.text)}"
    if not rows:
        raise DataError("no question has a passage near it that does not answer it; add documents")
    write_rows(output, rows)
    for answerable, (share, n) in closeness(rows).items():
        kind = "answerable" if answerable else "unanswerable"
        yield f"words of the question that stand in the passage, {kind}: {share:.2f} (n = {n})"
    yield f"{len(rows)} rows, half of them answerable, from {len(rows) // 2} questions in {output}"


def closeness(rows: Sequence[Row]) -> dict[bool, tuple[float, int]]:
    """Return the mean share of a question's words of matter that stand in its passage, and n, by answerability."""
    shares: dict[bool, list[float]] = {True: [], False: []}
    for row in rows:
        asked = matter(row["query"])
        if asked:
            shares[row["intensity"] == Intensity.CLEAN].append(len(asked & matter(row["context"])) / len(asked))
    return {kind: (sum(own) / len(own), len(own)) for kind, own in shares.items() if own}


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
                _row(question, corpus[question.place], corpus[place], contexts.get(place, corpus[place].text))
                for place in ((question.place, other) if other is not None else ())
            ],
        )


def _row(question: FoundQuestion, own: Chunk, shown: Chunk, context: str) -> Row:
    base, answerable = f"swap-{digest(own.id, question.text)}", own is shown
    missing, intensity = PerturbationClass.MISSING_INFO, Intensity.HIGH
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
        "expected_rag_behavior": (Label.ANSWER if answerable else expected_label(missing, intensity)).value,
        "lever": "" if answerable else LEVER,
        "generator": GENERATOR,
        "question_origin": question.origin,
        "answer_type": "sentence" if question.is_sentence else "",
        "answer_chunk": own.id,
        "document": own.source,
        "chunk": shown.id,
        "source": shown.source,
        "licence": shown.licence,
    }
