"""When a term of a list counts: what must stand, or must not stand, before and after it in its sentence."""

from dataclasses import dataclass
from typing import Literal

WIDEST = 20
"""The widest window of a context, in words."""
_STOP, _NUMBER = b".", b"#"
_ZERO, _NINE = ord("0"), ord("9")


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

    def reach(self, words: bytes, start: int, end: int) -> int:
        """Return how many words from the term the last step is met, 0 if they are not all met.

        `words` are those of a text in `normal_words`, the term stands from `start` to `end`.
        """
        return self._before(words, start) if self.side == "before" else self._after(words, end)

    def _after(self, words: bytes, place: int) -> int:
        steps, across, stops = self.steps, self.across, self.stops
        step, met, text_end = steps[0], 0, len(words)
        for n in range(1, self.within + 1):
            if place >= text_end:
                return 0
            after = words.find(b" ", place)
            word = _NUMBER if _ZERO <= words[place] <= _NINE else words[place:after]
            if word in step:
                met += 1
                if met == len(steps):
                    return n
                step = steps[met]
            elif word == _STOP or word in stops or (across is not None and word not in across):
                return 0
            place = after + 1
        return 0

    def _before(self, words: bytes, place: int) -> int:
        steps, across, stops = self.steps, self.across, self.stops
        step, met = steps[0], 0
        for n in range(1, self.within + 1):
            if place <= 0:
                return 0
            first = words.rfind(b" ", 0, place - 1) + 1
            word = _NUMBER if _ZERO <= words[first] <= _NINE else words[first : place - 1]
            if word in step:
                met += 1
                if met == len(steps):
                    return n
                step = steps[met]
            elif word == _STOP or word in stops or (across is not None and word not in across):
                return 0
            place = first
        return 0


@dataclass(frozen=True)
class Rule:
    """What a term is and when: its dimension, its strength (None: the list states none), and its contexts.

    The term counts where every context of `needs` is met and none of `unless`. It reaches over the words up to the last
    one that `through` (one more that is needed) has met.
    """

    dimension: str
    strength: float | None = None
    needs: tuple[Context, ...] = ()
    unless: tuple[Context, ...] = ()
    through: Context | None = None

    @property
    def unconditional(self) -> bool:
        """Whether the term counts wherever it stands."""
        return not (self.needs or self.unless or self.through)

    def reach(self, words: bytes, start: int, end: int) -> int:
        """Return how many words after the term the match reaches over, -1 if the term does not count here."""
        n = 0
        if self.through is not None:
            n = self.through.reach(words, start, end)
            if not n:
                return -1
        for context in self.needs:
            if not context.reach(words, start, end):
                return -1
        for context in self.unless:
            if context.reach(words, start, end):
                return -1
        return n
