"""Invented names, so that nothing of an item is in any model's memory."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import count, product
from random import Random


def _parts(listed: str) -> tuple[str, ...]:
    return tuple(listed.split())


ONSETS = _parts("b br d dr f g gl h j k kr l m n p pl r s st t tr v w z")
VOWELS = _parts("a e i o u")
MIDDLES = _parts("l r n m s v rm ld nd rv lm sk st rd lv mb")
ENDS = _parts("en ow ick ard ost um ett orn is al und ery ova eth ung amp esk")
FIRST_ENDS = _parts("a el in io ra an eb ia or ene uk ola")
"""How first names end."""

_STRICT = 60
"""How many names are tried before one may share its beginning or its end with another."""


def words(ends: tuple[str, ...]) -> Iterator[str]:
    """Yield every word that can be made with these ends, in small letters."""
    return ("".join(parts) for parts in product(ONSETS, VOWELS, MIDDLES, ends))


@cache
def real_words() -> frozenset[str]:
    """Return the words that could be made and that mean something, or name a real place or person, in some language."""
    text = (files("refusalbench_tasks.worlds") / "real_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def _parts_of(word: str) -> set[str]:
    """Return every beginning and end that a word could have been made of."""
    return {f"{word[:at]}-" for at in (2, 3)} | {f"-{word[at:]}" for at in (2, 3)}


class Names:
    """A stream of names that no other name of the same item resembles: they share neither beginning nor end."""

    def __init__(self, rng: Random, taken: Iterable[str] = ()) -> None:
        """Begin with names that are taken."""
        self._rng = rng
        self._used = {part for word in taken for part in _parts_of(word.lower())}

    def word(self, ends: tuple[str, ...] = ENDS) -> str:
        """Return an invented word of two or three syllables with a capital letter."""
        choice = self._rng.choice
        for tried in count():
            first, last = choice(ONSETS) + choice(VOWELS), choice(MIDDLES) + choice(ends)
            parts = {f"{first}-", f"-{last}", first + last}
            # an item of ten passages has more names than there are beginnings
            close = parts & self._used if tried < _STRICT else first + last in self._used
            if not close and first + last not in real_words():
                self._used |= parts
                return (first + last).capitalize()
        raise AssertionError("count never ends")

    def person(self) -> str:
        """Return an invented first and family name."""
        return f"{self.word(FIRST_ENDS)} {self.word()}"
