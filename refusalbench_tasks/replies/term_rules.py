"""When a term of a list counts: what must stand, or must not stand, before and after it in its sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

WIDEST = 20
"""The widest window of a context, in words."""
_STOP, _NUMBER = b".", b"#"
_DIGITS = b"0123456789"
_ZERO, _NINE = ord("0"), ord("9")
_BYTES = 12 * WIDEST
"""Holds that many words, save very long ones."""


class Around:
    """The words before and after a term in its sentence, `WIDEST` at most on each side, the nearest first.

    `words` are those of a text in `normal_words`, the term stands from `start` to `end`. The stop of a sentence is the
    last word of its side, and "#" stands for every word that begins with a digit.
    """

    __slots__ = ("_after", "_before", "_end", "_start", "_words")

    def __init__(self, words: bytes, start: int, end: int) -> None:
        self._words, self._start, self._end = words, start, end
        self._before: list[bytes] | None = None
        self._after: list[bytes] | None = None

    def side(self, name: Literal["before", "after"]) -> list[bytes]:
        """Return the words of one side."""
        if name == "before":
            if self._before is None:
                self._before = self._words_before()
            return self._before
        if self._after is None:
            self._after = self._words_after()
        return self._after

    def _words_before(self) -> list[bytes]:
        first = max(0, self._start - _BYTES)
        first = max(first, self._words.rfind(_STOP, first, self._start))
        text = self._words[first : self._start]
        found = text.rsplit(b" ", WIDEST + 1)
        if len(found) <= WIDEST + 1 and first and text[:1] != _STOP:
            text, found = self._long_before()
        # what stands before the words, and the nothing after the last space
        return _numbered(found[-2 : -WIDEST - 2 : -1], text)

    def _words_after(self) -> list[bytes]:
        stop = self._words.find(_STOP, self._end, self._end + _BYTES)
        last = self._end + _BYTES if stop < 0 else stop + 2
        text = self._words[self._end : last]
        found = text.split(b" ", WIDEST)
        if len(found) <= WIDEST and stop < 0 and last < len(self._words):
            text, found = self._long_after()
        return _numbered(found[: min(WIDEST, len(found) - 1)], text)

    def _long_before(self) -> tuple[bytes, list[bytes]]:
        first = self._start
        for _ in range(WIDEST):
            first = self._words.rfind(b" ", 0, max(first - 1, 0)) + 1
        text = self._words[max(first, self._words.rfind(_STOP, first, self._start)) : self._start]
        return text, text.split(b" ")

    def _long_after(self) -> tuple[bytes, list[bytes]]:
        last = self._end
        for _ in range(WIDEST):
            last = self._words.find(b" ", last) + 1 or len(self._words)
        stop = self._words.find(_STOP, self._end, last)
        text = self._words[self._end : last if stop < 0 else stop + 2]
        return text, text.split(b" ")


def _numbered(words: list[bytes], text: bytes) -> list[bytes]:
    """Return the words, which are some of a text's, with "#" for each that begins with a digit."""
    if len(text.translate(None, _DIGITS)) == len(text):
        return words
    return [_NUMBER if _ZERO <= word[0] <= _NINE else word for word in words]


@dataclass(frozen=True)
class Context:
    """Words that follow one another, with others between them, before or after a term in its sentence.

    `steps` are sets of words, the nearest to the term first. Within `within` words one of each must be met, in that
    order. A word of `stops` ends the search, and so does one that is not in `across`, where that is given. "#" stands
    for every word that begins with a digit. There are no other wildcards, so a search is linear in `within`.
    """

    side: Literal["before", "after"]
    steps: tuple[frozenset[bytes], ...]
    within: int
    across: frozenset[bytes] | None = None
    stops: frozenset[bytes] = frozenset()

    def reach(self, around: "Around") -> int:
        """Return how many words from the term the last step is met, 0 if they are not all met."""
        window = around.side(self.side)[: self.within]
        for step in self.steps:
            # most contexts are not met, and this tells so in a tenth of the time
            if step.isdisjoint(window):
                return 0
        return self._met(window)

    def _met(self, window: Sequence[bytes]) -> int:
        steps, across, stops = self.steps, self.across, self.stops
        step, met = steps[0], 0
        for n, word in enumerate(window, 1):
            if word in step:
                met += 1
                if met == len(steps):
                    return n
                step = steps[met]
            elif word in stops or (across is not None and word not in across):
                return 0
        return 0


@dataclass(frozen=True)
class Rule:
    """What a term is and when: its dimension, its strength (None: the list states none), and its contexts.

    The term counts where every context of `needs` is met and no group of `unless` in whole. It reaches over the words
    up to the last one that `through` (one more that is needed) has met.
    """

    dimension: str
    strength: float | None = None
    needs: tuple[Context, ...] = ()
    unless: tuple[tuple[Context, ...], ...] = ()
    through: Context | None = None

    @property
    def unconditional(self) -> bool:
        """Whether the term counts wherever it stands."""
        return not (self.needs or self.unless or self.through)

    def reach(self, around: Around) -> int:
        """Return how many words after the term the match reaches over, -1 if the term does not count here."""
        n = 0
        if self.through is not None:
            n = self.through.reach(around)
            if not n:
                return -1
        for context in self.needs:
            if not context.reach(around):
                return -1
        for group in self.unless:
            for context in group:
                if not context.reach(around):
                    break
            else:
                return -1
        return n
