"""Each question with the nearest passage that does not answer it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.generators.kit.search import Index
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.found import Question

NEAR = 50
"""How many of the nearest passages are looked at for one that does not answer."""
GIVEN = 0.5
"""The share of an answer sentence's own content words from which on a passage may say the same."""
SAME_QUESTION = 0.6
"""The Jaccard similarity of content words from which on a heading asks the same question."""
BLOCK = 1_500
"""Among how many questions passages are exchanged at a time."""


@dataclass(frozen=True)
class Swap:
    """A question and the position of the chunk that stands in for its own."""

    question: Question
    place: int
    crossed: bool
    """Whether the chunk answers another question of the set, so that it is in an answerable row too."""


class Rule:
    """Whether a chunk may answer a question, told by words alone: what may, is never taken as a swap."""

    def __init__(self, question: Question, corpus: Sequence[Chunk]) -> None:
        self._question, self._corpus = question, corpus
        self._asked = Asked(question.text, question.answers, (question.context,))

    def may_answer(self, place: int) -> bool:
        """Whether the chunk is of the same section, asks the same, or has the answer or most words of its sentence."""
        own, other = self._corpus[self._question.place], self._corpus[place]
        if place == self._question.place or self._same_section(own, other) or self._asks_the_same(other):
            return True
        if not self._question.is_sentence:
            return self._asked.given_in([other.text])
        words = content_words(other.text)
        return not self._words or len(self._words & words) >= GIVEN * len(self._words)

    @cached_property
    def _words(self) -> frozenset[str]:
        """The content words that an answer sentence has beside those of the question."""
        every = content_words(" ".join(self._question.answers))
        return every - content_words(self._question.text) or every

    def _asks_the_same(self, other: Chunk) -> bool:
        mine, theirs = content_words(self._question.text), content_words(other.headings[-1] if other.headings else "")
        return bool(mine and theirs) and len(mine & theirs) >= SAME_QUESTION * len(mine | theirs)

    def _same_section(self, own: Chunk, other: Chunk) -> bool:
        """Sections of one document, and those that were folded into one of its chunks."""
        if own.doc_id == other.doc_id and (own.headings == other.headings or not own.headings):
            return True
        return other.source in {twin.source for twin in own.also} or own.source in {twin.source for twin in other.also}


def nearest_without_answer(question: Question, corpus: Sequence[Chunk], index: Index, count: int = 1) -> list[int]:
    """Return the positions of the chunks nearest to a question (BM25) that do not answer it, at most `count`.

    Of the NEAR nearest; a chunk that shares no word with the question is not among them.
    """
    rule = Rule(question, corpus)
    near = (place for place, _ in index.nearest(question.text, max(NEAR, 3 * count)))
    found: list[int] = []
    for place in near:
        if not rule.may_answer(place):
            found.append(place)
            if len(found) == count:
                break
    return found


def swaps(questions: Sequence[Question], corpus: Sequence[Chunk], index: Index) -> list[Swap]:
    """Return a swap for each question that has one, in their order.

    Passages are exchanged among the questions where that can be done, so that each stands in as many answerable as
    unanswerable rows: of all such exchanges the one whose BM25 scores have the largest sum. A question for which it
    leaves none has the nearest other chunk.
    """
    found: list[Swap] = []
    for start in range(0, len(questions), BLOCK):
        block = questions[start : start + BLOCK]
        exchanged = _exchanged(block, corpus, index)
        for number, question in enumerate(block):
            other = exchanged.get(number)
            if other is not None:
                found.append(Swap(question, block[other].place, True))
                continue
            found += [Swap(question, one, False) for one in nearest_without_answer(question, corpus, index)]
    return found


def _exchanged(questions: Sequence[Question], corpus: Sequence[Chunk], index: Index) -> dict[int, int]:
    """Return for each question the number of the question whose passage it gets, by an optimal assignment."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    places = np.array([question.place for question in questions])
    closeness = np.zeros((len(questions), len(questions)))
    for number, question in enumerate(questions):
        scores = np.zeros(len(corpus))
        rule = Rule(question, corpus)
        for place, score in index.nearest(question.text, len(corpus)):
            scores[place] = score
        # what may answer, or shares no word with the question, is never worth an exchange
        owned = dict.fromkeys(places.tolist())
        banned = [place for place in owned if scores[place] == 0 or rule.may_answer(place)]
        scores[banned] = -1e6
        closeness[number] = scores[places]
    rows, columns = linear_sum_assignment(-closeness)
    return {int(row): int(column) for row, column in zip(rows, columns, strict=True) if closeness[row, column] > 0}
