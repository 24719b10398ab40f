"""Whether an answer stands in a text, however it is written there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.generators.kit.text.answer_places import Place, counted_at, is_denied
from refusalbench_tasks.generators.kit.text.answer_spans import same, sentence_at, spans
from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content, sign
from refusalbench_tasks.generators.kit.text.proper_names import (
    first_name,
    is_alone,
    is_full_name,
    is_in_longer_name,
    is_surname_of,
    surname,
)
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens

_LEADING_WORDS = "in at on by since for from to about until during around near of"
_LEADING = frozenset(_LEADING_WORDS.split())
_PERSON = ("who ", "whom ", "whose ", "who's ", "which person", "what person")
_BEFORE_YEARS = frozenset(["in", "since", "until", "from", "by", "before", "after", "during"])
_TELLING = 1000
"""A number as large is taken for the answer whatever it counts."""


@dataclass(frozen=True)
class Asked:
    """A question with its answers and the texts that it was asked of: what decides in which role an answer counts."""

    question: str
    answers: tuple[str, ...]
    originals: tuple[str, ...] = ()

    def given_in(self, texts: Sequence[str]) -> bool:
        """Return whether some text gives an answer: by the name in full or the surname, in any form of a number.

        A longer name ("Duke of York") and a number of something else ("two moons") give none, unless the answer stands
        in the originals in no other way.
        """
        places = [place for text in texts for place in self.places(text)]
        return any(not place.aside for place in places) or (bool(places) and self._only_aside)

    def kept_in(self, texts: Sequence[str]) -> bool:
        """Return whether some text still has an answer that a reader may take: as part of nothing else, and not denied.

        More lenient than `given_in`: a long answer may be reworded, and a number counts whatever it numbers. Where the
        answer is newly denied, its short form elsewhere does not make up for it.
        """
        places = self._lenient_places(texts)
        before = self._lenient_places(self.originals)
        newly_denied = _denials(places) > _denials(before)
        if any(place.sound and not (place.short and newly_denied) for place in places):
            return True
        return bool(places) and not newly_denied and not any(place.sound for place in before)

    def places(self, text: str, lenient: bool = False) -> Iterator[Place]:
        """Yield the places at which an answer stands in a text."""
        tokens = typed_tokens(text)
        for answer in self._tokens:
            for start, end in spans(answer, tokens, lenient):
                aside = is_in_longer_name(tokens, start, end) or self._is_no_name(answer, tokens[start:end])
                if len(answer) == 1 and answer[0].kind in ("number", "ordinal"):
                    aside = self._is_other_year(answer[0], tokens, start)
                    aside = aside or (not lenient and self._numbers_else(tokens, start))
                yield Place(aside, is_denied(tokens, start))
            if self._asks_person and is_full_name(answer):
                yield from (Place(False, is_denied(tokens, at), short=True) for at in self._short_names(answer, tokens))

    @cached_property
    def _tokens(self) -> tuple[tuple[Token, ...], ...]:
        every = (typed_tokens(answer, True) for answer in self.answers)
        known = dict.fromkeys(_without_leading(tokens) for tokens in every if tokens)
        # a yes or no follows from what is said: that the word stands somewhere gives no answer
        return tuple(tokens for tokens in known if not all(token.form in ("yes", "no") for token in tokens))

    @cached_property
    def _only_aside(self) -> bool:
        return all(place.aside for text in self.originals for place in self.places(text))

    def _lenient_places(self, texts: Sequence[str]) -> list[Place]:
        return [place for text in texts for place in self.places(text, lenient=True)]

    @cached_property
    def _asks_person(self) -> bool:
        return any(word in f"{self.question.casefold()} " for word in _PERSON)

    @cached_property
    def _words(self) -> frozenset[str]:
        return content_words(self.question)

    @cached_property
    def _own_words(self) -> frozenset[str]:
        return frozenset(sign(token) for answer in self._tokens for token in answer)

    def _short_names(self, name: Sequence[Token], text: Sequence[Token]) -> Iterator[int]:
        for part, is_short in ((surname(name), is_surname_of), (first_name(name), is_alone)):
            # a name that the question has already ("Who founded Brandt & Co.?") gives nothing away
            if not part or any(token.form in self._words for token in part):
                continue
            for start in range(len(text) - len(part) + 1):
                end = start + len(part)
                alike = all(same(mine, theirs) for mine, theirs in zip(part, text[start:end], strict=True))
                if alike and is_short(text, start, end, name):
                    yield start

        letters = [token.form[:1] for token in name]
        for start in range(len(text) - len(name) + 1):
            window = text[start : start + len(name)]
            if (
                len(letters) > 1
                and [token.form for token in window] == letters
                and all(token.is_name for token in window)
            ):
                yield start

    def _numbers_else(self, text: Sequence[Token], at: int) -> bool:
        """Whether a bare number counts or names something that was not asked for."""
        here = text[at]
        if here.kind == "ordinal":
            ranked = text[at + 1] if at + 1 < len(text) and not text[at + 1].apart else None
            return ranked is not None and is_content(ranked) and sign(ranked) not in self._words | self._own_words
        if here.kind == "quantity":
            return bool(self._units_before) and here.unit not in self._units_before
        if here.kind == "date" or here.number >= _TELLING:
            return False
        before = text[at - 1] if at and not here.apart else None
        if before is not None and sign(before) in self._words:
            return False
        if before is not None and before.is_name and is_content(before) and not before.opens:
            return True
        counted = counted_at(text, at)
        return counted is not None and sign(counted) not in self._words | self._counted_before

    def _is_other_year(self, answer: Token, text: Sequence[Token], at: int) -> bool:
        """Whether a number of the text is a year and the answer none, or the answer a year and the number none."""
        here = text[at]
        if self._asks_year:
            return here.kind == "quantity" or "," in here.raw
        behind = text[at - 1].form if at and not here.apart else ""
        return "," in answer.raw and (here.kind == "date" or (here.raw.isdigit() and behind in _BEFORE_YEARS))

    @cached_property
    def _asks_year(self) -> bool:
        asked = f" {self.question.casefold()} "
        return any(token.raw.isdigit() and len(token.raw) == 4 for one in self._tokens for token in one) and (
            " year" in asked or asked.startswith(" when ")
        )

    def _is_no_name(self, answer: Sequence[Token], found: Sequence[Token]) -> bool:
        """Whether an answer that is a name in the originals stands in small letters: "karst" is not Ludmilla Karst."""
        return tuple(answer) in self._names_before and not any(token.is_name for token in found)

    @cached_property
    def _names_before(self) -> frozenset[tuple[Token, ...]]:
        """The answers that stand in the originals with a capital letter where no sentence begins."""
        texts = [typed_tokens(text) for text in self.originals]
        return frozenset(
            answer
            for answer in self._tokens
            if all(token.is_name for token in answer)
            for text in texts
            for start, _ in spans(answer, text)
            if text[start].is_name and not text[start].opens
        )

    @cached_property
    def _units_before(self) -> frozenset[str]:
        """The units with which the answer stands in the originals."""
        tokens = [token for text in self.originals for token in typed_tokens(text) if token.kind == "quantity"]
        return frozenset(token.unit for token in tokens if any(same(answer[0], token) for answer in self._tokens))

    @cached_property
    def _counted_before(self) -> frozenset[str]:
        """What the answer counts in the originals, in the sentence that has most words of the question.

        Nothing is added to the question's own words if the answer counts one of these.
        """
        found: list[tuple[int, str]] = []
        for tokens in map(typed_tokens, self.originals):
            for answer in self._tokens:
                for start, _ in spans(answer, tokens) if len(answer) == 1 else ():
                    shared = len({sign(token) for token in sentence_at(tokens, start)} & self._words)
                    counted = counted_at(tokens, start)
                    found.append((shared, sign(counted) if counted else ""))
        if any(counted in self._words for _, counted in found):
            return frozenset()
        most = max((shared for shared, _ in found), default=0)
        return frozenset(counted for shared, counted in found if shared == most)


def _denials(places: Sequence[Place]) -> int:
    return sum(place.denied for place in places)


def _without_leading(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[1:] if len(tokens) > 1 and tokens[0].form in _LEADING else tokens
