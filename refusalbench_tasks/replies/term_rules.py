"""When a term of a list counts: what must stand, or must not stand, before and after it
in its sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .normal_words import STOP

WIDEST = 20
"""The widest window of a context, in words."""
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True)
class Around:
    """The words before and after a term in its sentence, `WIDEST` at most on each side,
    the nearest first.

    `words` are those of a text, the term stands from `start` to `end`. The stop of a
    sentence is the last word of its side, and "#" stands for every word that begins
    with a digit.
    """

    words: Sequence[str]
    start: int
    end: int

    @cached_property
    def before(self) -> list[str]:
        """Return the words before the term, the last one first."""
        return _in_sentence(self.words[max(0, self.start - WIDEST) : self.start][::-1])

    @cached_property
    def after(self) -> list[str]:
        """Return the words after the term."""
        return _in_sentence(self.words[self.end : self.end + WIDEST])


def _in_sentence(words: Sequence[str]) -> list[str]:
    last = words.index(STOP) + 1 if STOP in words else len(words)
    return ["#" if word[0] in _DIGITS else word for word in words[:last]]


@dataclass(frozen=True)
class Context:
    """Words that follow one another, with others between them, before or after a term
    in its sentence.

    `steps` are sets of words, the nearest to the term first. Within `within` words one
    of each must be met, in that order. A word of `stops` ends the search, and so does
    one that is not in `across`, where that is given. "#" stands for every word that
    begins with a digit. There are no other wildcards, so a search is linear in
    `within`.
    """

    side: Literal["before", "after"]
    steps: tuple[frozenset[str], ...]
    within: int
    across: frozenset[str] | None = None
    stops: frozenset[str] = frozenset()

    def reach(self, around: Around) -> int:
        """Return how many words from the term the last step is met, 0 if they are not
        all met.
        """
        met = 0
        side = around.before if self.side == "before" else around.after
        for n, word in enumerate(side[: self.within], 1):
            if word in self.steps[met]:
                met += 1
                if met == len(self.steps):
                    return n
                continue
            is_crossed = self.across is None or word in self.across
            if word in self.stops or not is_crossed:
                return 0
        return 0


@dataclass(frozen=True)
class TermRule:
    """What a term is and when: its dimension, its strength (None: the list states
    none), and its contexts.

    The term counts where every context of `needs` is met and no group of `unless` in
    whole. It reaches over the words up to the last one that `through` (one more that is
    needed) has met.
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

    def reach(self, around: Around) -> int | None:
        """Return how many words after the term the match reaches over; None if the term
        does not count here.
        """
        if not all(context.reach(around) for context in self.needs):
            return None
        for group in self.unless:
            if all(context.reach(around) for context in group):
                return None
        if self.through is None:
            return 0
        return self.through.reach(around) or None
