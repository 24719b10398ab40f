"""A place at which an answer stands, and in which role."""

from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.generators.kit.text.content_words import is_content
from refusalbench_tasks.generators.kit.text.typed_tokens import Token

_NEGATIONS_WORDS = "not never neither nor without unlike cannot"
_NEGATIONS = frozenset(_NEGATIONS_WORDS.split())
_NEGATIVE_PAIRS = ("rather than", "instead of", "no longer", "other than")
_TURNS_WORDS = "but and or that which who where when because so yet only until before later fewer less more"
_TURNS = frozenset(_TURNS_WORDS.split())


@dataclass(frozen=True)
class Place:
    """Where an answer stands. `aside`: as part of a longer name, or as a number of something else; `short`: in part."""

    aside: bool
    denied: bool
    short: bool = False

    @property
    def sound(self) -> bool:
        """Whether a reader may take the answer from here."""
        return not self.aside and not self.denied


def counted_at(text: Sequence[Token], at: int) -> Token | None:
    """Return the noun that a number counts: the first plural among the next three words, any noun behind "one"."""
    for token in text[at + 1 : at + 4]:
        if token.apart or token.kind != "word" or not is_content(token):
            return None
        if token.form != token.raw.casefold() or text[at].number == 1:
            return token
    return None


def is_denied(text: Sequence[Token], start: int) -> bool:
    """Whether a negation stands close before a place, with no turn and no punctuation between."""
    for at in range(start - 1, max(start - 7, -1), -1):
        word = text[at].raw.casefold()
        if text[at + 1].apart or word in _TURNS:
            return False
        pair = f"{word} {text[at + 1].raw.casefold()}"
        if word in _NEGATIONS or word.endswith("n't") or pair in _NEGATIVE_PAIRS:
            return True
    return False
