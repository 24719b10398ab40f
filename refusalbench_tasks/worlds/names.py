"""Invented names, so that nothing of an item is in any model's memory."""

from random import Random

_ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "z",
)
_VOWELS = ("a", "e", "i", "o", "u")
_MIDDLES = ("l", "r", "n", "m", "s", "v", "rm", "ld", "nd", "rv", "lm", "sk", "st", "rd")
_ENDS = ("en", "ow", "ick", "ard", "ost", "um", "ett", "orn", "is", "al", "und", "ery", "ova", "eth", "ung")


class Names:
    """A stream of names that no other name of the same item resembles."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def word(self) -> str:
        """Return an invented word of two or three syllables with a capital letter."""
        rng = self._rng
        while True:
            word = rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_MIDDLES) + rng.choice(_ENDS)
            if word[:3] not in self._used:
                self._used.add(word[:3])
                return word.capitalize()

    def person(self) -> str:
        """Return an invented first and family name."""
        return f"{self.word()} {self.word()}"
