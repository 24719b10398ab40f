"""A base question as its properties are read from it: names, persons, numbers, the sentences with the answer."""

import re
from functools import cached_property

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.kit.answer_kind import MONTH, YEAR, AnswerKind, answer_kind, numbers_in
from refusalbench_tasks.generators.text_names import names_in, persons_in, words_beside
from refusalbench_tasks.replies.alias import answer_tokens

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[\"'(]?[A-Z0-9])")
MONTH_AND_DAY = re.compile(rf"\b\d{{1,2}} (?={MONTH.pattern})", re.IGNORECASE)
"""A day of the month before its month."""


class BaseText:
    """What can be read from a base question. Of several passages only those that bear on the question count."""

    def __init__(self, base: RefusalItem) -> None:
        self.base = base
        self.question = base.query
        self.asked = base.query.lower()
        signal = [base.passages[k] for k in base.signal] if base.signal else list(base.passages)
        self.passages = signal
        self.text = "\n".join(signal)
        self.told = self.text.lower()
        self.both = f"{self.asked}\n{self.told}"

    @cached_property
    def kind(self) -> AnswerKind:
        """Return the kind of the answer."""
        return answer_kind(self.question, self.answers)

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the aliases; the long reference where there are none."""
        return self.base.answers or self.base.references

    @cached_property
    def sentences(self) -> list[list[str]]:
        """Return the sentences of each passage."""
        return [[part for part in _SENTENCE_END.split(passage) if part.strip()] for passage in self.passages]

    @cached_property
    def with_answer(self) -> list[tuple[int, int]]:
        """Return passage and position of each sentence in which an alias stands."""
        return [
            (k, i)
            for k, sentences in enumerate(self.sentences)
            for i, sentence in enumerate(sentences)
            if self.gives_answer(sentence)
        ]

    @property
    def all_sentences(self) -> list[str]:
        """Return the sentences of all passages."""
        return [sentence for sentences in self.sentences for sentence in sentences]

    def gives_answer(self, text: str) -> bool:
        """Return whether an alias stands in a text, as whole words."""
        padded = f" {' '.join(answer_tokens(text))} "
        return any(alias in padded for alias in self._padded_aliases)

    @cached_property
    def _padded_aliases(self) -> list[str]:
        return [f" {' '.join(tokens)} " for alias in self.answers if (tokens := answer_tokens(alias))]

    @cached_property
    def answering(self) -> list[str]:
        """Return the sentences in which an alias stands."""
        return [self.sentences[k][i] for k, i in self.with_answer]

    @cached_property
    def names(self) -> list[str]:
        """Return the names in the passages: runs of words with capital letters, each once."""
        return list(dict.fromkeys(name for text in self.passages for name in names_in(text)))

    @cached_property
    def subject_names(self) -> list[str]:
        """Return names that the question holds, whatever its capital letters are."""
        told = [name for name in self.names if words_beside(name.lower(), self.asked)]
        first = self.question.split()[:1]
        return list(dict.fromkeys([*told, *(name for name in names_in(self.question) if name.split()[:1] != first)]))

    @cached_property
    def persons(self) -> list[str]:
        """Return the full names in passages and question that are a person's, as far as grammar shows it."""
        found = [name for text in (*self.passages, self.question) for name in persons_in(text)]
        if self.kind is AnswerKind.PERSON:
            found += [alias for alias in self.answers if alias[:1].isupper()]
        return list(dict.fromkeys(found))

    @cached_property
    def side_numbers(self) -> list[str]:
        """Return the numbers of the passages that are no years, not the answer and not in the question."""
        own = {token for text in (*self.answers, self.question) for token in answer_tokens(text)}
        text = MONTH_AND_DAY.sub(" ", self.text)
        found = [number for number in numbers_in(text) if not YEAR.fullmatch(number)]
        return [number for number in found if number.lower() not in ("one", "a half") and not own & _plain(number)]

    @cached_property
    def side_years(self) -> list[str]:
        """Return the years in sentences with the answer that are neither the answer nor in the question."""
        own = {year for text in (*self.answers, self.question) for year in YEAR.findall(text)}
        return [year for sentence in self.answering for year in YEAR.findall(sentence) if year not in own]


def _plain(number: str) -> set[str]:
    return set(answer_tokens(number))
