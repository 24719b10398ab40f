"""A reply of a few words: whether it is a value, such as a name, a year, yes or no."""

import re
import unicodedata
from collections.abc import Sequence

from .alias import QUESTION_MARKS, frames, has_form
from .faithfulness import BUNDLED_STOP_WORDS
from .plain_text import plain_text

_YES_OR_NO = frozenset({"yes", "no"})
_MOST_WORDS = 8
_SEPARATOR = re.compile(r"[;|\n]|:\s")
"""What stands between an answer and another field: "none; relevance: 0"."""


def is_value(
    text: str,
    passages: Sequence[str],
    question: str = "",
) -> bool:
    """Return whether a text is "yes", "no", or up to eight words of one of the
    passages, whether it asks or not.

    Words of negation or doubt make it none: "not stated" may be copied and still
    refuse. So do words of the question and function words alone: "the lighthouse" tells
    nothing of when the lighthouse opened. Case and punctuation do not matter, and a
    copy ends where words of the passage end.
    """
    plain = plain_text(text.rstrip().rstrip("".join(QUESTION_MARKS)))
    if plain in _YES_OR_NO:
        return True
    words = plain.split()
    doubts = frames().doubt.intersection(words)
    if not 0 < len(words) <= _MOST_WORDS or doubts or not tells(plain, question):
        return False
    return any(is_copied_from(plain, plain_text(passage)) for passage in passages)


def is_quantity(text: str) -> bool:
    """Return whether a text is a number or a date: digits come first, and at most half
    of its words have none.
    """
    words = plain_text(text).split()
    doubt = frames().doubt - {"may"}  # behind a number it is the month
    if _SEPARATOR.search(text) or not words or doubt.intersection(words):
        return False
    beginning = words[0]
    if not beginning[0].isalnum():
        beginning = "".join(words[:2]).lstrip("-+~≈<>$€£¥.")
    numbers = [word for word in words if any(map(str.isdecimal, word))]
    others = [word for word in words if any(map(str.isalpha, word))]
    return beginning[:1].isdecimal() and len(others) - len(numbers) <= len(numbers)


def tells(text: str, question: str) -> bool:
    """Return whether a text has a word that is neither in the question nor a function
    word.

    The beginning of a phrase that names a source ("according to [2]") has none.
    """
    plain = plain_text(text)
    plain_question = plain_text(question)
    if _is_unspaced(plain):
        return plain not in plain_question
    if any(source.startswith(f"{plain} ") for source in frames().sources):
        return False
    silent = BUNDLED_STOP_WORDS.overlap | frames().neutral
    words = [word for word in plain.split() if word not in silent]
    asked = plain_question.split()
    return not all(has_form(word, asked) for word in words)


def is_copied_from(plain: str, passage: str) -> bool:
    """Return whether a plain text stands in another, from word to word; an empty one
    stands in none.
    """
    if not plain or not passage:
        return False
    if _is_unspaced(plain):
        return plain in passage
    return f" {plain} " in f" {passage} "


def _is_unspaced(text: str) -> bool:
    """Return whether a text is in a script that puts no spaces between words."""
    return any(unicodedata.east_asian_width(character) == "W" for character in text)
