"""Invented names, so that nothing of an item is in any model's memory."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random


def _parts(listed: str) -> tuple[str, ...]:
    return tuple(listed.split())


ONSETS = _parts("b br d dr f g gl h j k kr l m n p pl r s st t tr v w z")
VOWELS = _parts("a e i o u")
MIDDLES = _parts("l r n m s v rm ld nd rv lm sk st rd lv mb")
ENDS = _parts("en ow ick ard ost um ett orn is al und ery ova eth ung amp esk")
FIRST_ENDS = _parts("a el in io ra an eb ia or ene uk ola")
"""How first names end."""


def words(ends: tuple[str, ...]) -> Iterator[str]:
    """Yield every word that can be made with these ends, in small letters."""
    return ("".join(parts) for parts in product(ONSETS, VOWELS, MIDDLES, ends))


@cache
def real_words() -> frozenset[str]:
    """Return the words that could be made and that mean something, or name a real place or person, in some language."""
    text = (files("refusalbench_tasks.worlds") / "real_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


class Names:
    """A stream of names that no other name of the same item resembles: they share neither beginning nor end."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def word(self, ends: tuple[str, ...] = ENDS) -> str:
        """Return an invented word of two or three syllables with a capital letter."""
        choice = self._rng.choice
        while True:
            first, last = choice(ONSETS) + choice(VOWELS), choice(MIDDLES) + choice(ends)
            parts = {f"{first}-", f"-{last}"}
            if not parts & self._used and first + last not in real_words():
                self._used |= parts
                return (first + last).capitalize()

    def person(self) -> str:
        """Return an invented first and family name."""
        return f"{self.word(FIRST_ENDS)} {self.word()}"
