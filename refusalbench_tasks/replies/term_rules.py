"""When a term of a list counts: what must stand, or must not stand, before and after it in its sentence."""

import re
from dataclasses import dataclass
from typing import Literal

WIDEST = 20
"""The widest window of a context, in words."""
_ROOM = 16 * WIDEST
"""How many bytes a window may have, so that a term costs the same in a text of any length."""
_DIGIT = re.compile(rb"[0-9]").search


class Surroundings:
    """The words around a term in its sentence, the nearest first, and what contexts have found in them.

    Up to `WIDEST` on each side, a stop at most as the last one; "#" for every word that begins with a digit.
    """

    __slots__ = ("_after", "_before", "_end", "_reached", "_start", "_words")

    def __init__(self, words: bytes, start: int, end: int) -> None:
        self._words, self._start, self._end = words, start, end
        self._before: list[bytes] | None = None
        self._after: list[bytes] | None = None
        self._reached: dict[int, int] = {}

    @property
    def before(self) -> list[bytes]:
        """Return the words before the term, the last one first."""
        if self._before is None:
            room = self._words[max(0, self._start - _ROOM) : self._start]
            # from the last stop on, which is a word and so has a space after it
            room = room[max(0, room.rfind(b". ")) :]
            self._before = _plain(room, room.rsplit(None, WIDEST)[: -WIDEST - 1 : -1])
        return self._before

    @property
    def after(self) -> list[bytes]:
        """Return the words after the term."""
        if self._after is None:
            room = self._words[self._end : self._end + _ROOM]
            stop = room.find(b". ")
            room = room if stop < 0 else room[: stop + 1]
            self._after = _plain(room, room.split(None, WIDEST)[:WIDEST])
        return self._after

    def reach(self, context: "Context") -> int:
        """Return how many words from the term the context is met, 0 if it is not; worked out once."""
        known = self._reached.get(id(context))
        if known is None:
            known = self._reached[id(context)] = context.reach(self)
        return known


def _plain(room: bytes, words: list[bytes]) -> list[bytes]:
    return [b"#" if word[:1].isdigit() else word for word in words] if _DIGIT(room) else words


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

    def reach(self, around: Surroundings) -> int:
        """Return how many words from the term the last step is met, 0 if they are not all met."""
        window = around.before if self.side == "before" else around.after
        across, stops, met = self.across, self.stops, 0
        step, window = self.steps[0], window[: self.within]
        if across is None and step.isdisjoint(window):
            return 0
        for n, word in enumerate(window, 1):
            if word in step:
                met += 1
                if met == len(self.steps):
                    return n
                step = self.steps[met]
            elif word in stops or (across is not None and word not in across):
                return 0
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

    def reach(self, around: Surroundings) -> int:
        """Return how many words after the term the match reaches over, -1 if the term does not count here."""
        n = around.reach(self.through) if self.through else 0
        if self.through and not n:
            return -1
        for context in self.needs:
            if not around.reach(context):
                return -1
        for context in self.unless:
            if around.reach(context):
                return -1
        return n
