"""A short text without its dress: what two answers must share to be one."""

import re
import unicodedata
from functools import lru_cache

from .citations import without_citations
from .code import visible_text

_LINE_MARK = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|[-*•][ \t]+)(?=[^\s\d])", re.MULTILINE
)
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
_DASH = re.compile("[‐‑‒–—―−]")
_DOTS = re.compile(r"\.{2,}")
_WRITTEN_DASH = re.compile(r"(?<=\w) - (?=[^\W\d])")
_DECIMAL = re.compile(r"\d")
_SIGN = re.compile(r"[^\w ]|_")
"""What `_plain` decides: a letter, a digit and a space stay what they are."""
_INITIAL = re.compile(r"\b([aA])\.(?=\s*\w)")
_MILLIONS = re.compile(r"(?:(?<=\d)|(?<=\d ))(M)\b")
"""An M behind a number: "25 M" are millions, "25 m" metres."""
_SPACE = frozenset(" \t\n\r\f\v.,;:\"“”„«»‹›'‘’ʼ`*_()[]{}¡·・。、،؛।「」『』《》")
"""What says nothing between words.

Every other sign is kept as a word: "≠", "~", "?", "/", "$" change an answer.
"""
_APOSTROPHES = frozenset("'‘’ʼ`")
_QUOTES = frozenset("'\"’”")
_OPENING = re.compile(r"(?<!\w)['\"‘“„«](?=\w)")
_IN_NUMBERS = frozenset(".,:/-")


@lru_cache(maxsize=256)
def plain_text(text: str) -> str:
    """Return the words and signs of a text in lower case, with one space between them;
    of any script.

    Citations, Markdown, quotes and stops are gone; digits are ASCII, "1,200" is "1200",
    "3.5", "10:30" and "1914-1918" are one word. A sign that may change the meaning
    stays: "-5" is not "5", "A+" not "A", "10²" not "102". So does the M of millions:
    "25 M" is not "25 m".
    """
    folded = without_citations(_LINE_MARK.sub("", visible_text(text)))
    if not folded.isascii():
        folded = _DECIMAL.sub(lambda digit: str(unicodedata.decimal(digit[0])), folded)
    folded = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), folded)
    folded = _WRITTEN_DASH.sub(" ", _DOTS.sub("…", _DASH.sub("-", folded)))
    folded = _INITIAL.sub("\\1\u2024", folded)
    parts = _MILLIONS.split(folded)
    parts[::2] = map(str.casefold, parts[::2])
    folded = "".join(parts)
    opening = _OPENING.search(folded)
    quoted_from = opening.start() if opening else len(folded)
    padded = f" {folded} "

    def plain(sign: re.Match[str]) -> str:
        at = sign.start()
        return _plain(
            padded[at - 1],
            padded[at],
            padded[at + 1],
            quoted=at > quoted_from,
        )

    return " ".join(_SIGN.sub(plain, padded).split())


def _plain(
    before: str,
    character: str,
    after: str,
    quoted: bool,
) -> str:
    if _is_word(character) or character == "\u2024":
        return character
    if character in _IN_NUMBERS and after.isdecimal() and before.isdecimal():
        return character
    if character == "." and after.isdecimal():
        return " ."
    if _is_word(before) and _is_word(after) and character in _APOSTROPHES:
        return "'"
    if _is_word(before) and _is_word(after) and character == "-":
        return " "
    if character == "!" and _is_word(before):
        return " "
    # feet, inches, minutes: a quote where none was opened
    measures = character in _QUOTES and before.isdecimal() and not quoted
    multiplies = character == "*" and _is_word(before) and _is_word(after)
    if character in _SPACE and not measures and not multiplies:
        return " "
    return f" {character} "


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"
