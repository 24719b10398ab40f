"""A reply of a few words: whether it is a value, such as a name, a year, yes or no."""

import re
import unicodedata
from collections.abc import Sequence

from refusalbench_tasks.replies.alias import frames
from refusalbench_tasks.replies.plain_text import plain_text

_YES_OR_NO = frozenset({"yes", "no"})
_MOST_WORDS = 8
_SEPARATOR = re.compile(r"[;|\n]|:\s")
"""What stands between an answer and another field: "none; relevance: 0"."""
_QUESTION_MARKS = ("?", ";", "؟", "？")


def asks(text: str) -> bool:
    """Return whether a text ends with a question mark."""
    return text.rstrip().endswith(_QUESTION_MARKS)


def is_value(text: str, passages: Sequence[str]) -> bool:
    """Return whether a text is "yes", "no", or up to eight words of one of the passages, whether it asks or not.

    Words of negation or doubt make it none: "not stated" may be copied and still refuse. Case and punctuation do not
    matter, and a copy ends where words of the passage end.
    """
    plain = plain_text(text.rstrip().rstrip("".join(_QUESTION_MARKS)))
    if plain in _YES_OR_NO:
        return True
    return _is_short(plain) and any(stands_in(plain, plain_text(p)) for p in passages)


def may_be_value(text: str) -> bool:
    """Return whether a text is one phrase of up to eight words, none of negation or doubt."""
    return _SEPARATOR.search(text) is None and _is_short(plain_text(text))


def _is_short(plain: str) -> bool:
    words = plain.split()
    return 0 < len(words) <= _MOST_WORDS and not frames().doubt.intersection(words)


def stands_in(plain: str, passage: str) -> bool:
    """Return whether a plain text stands in another, from word to word; an empty one stands in none."""
    if not plain or not passage:
        return False
    if any(unicodedata.east_asian_width(character) == "W" for character in plain):
        # no spaces between words
        return plain in passage
    return f" {plain} " in f" {passage} "
