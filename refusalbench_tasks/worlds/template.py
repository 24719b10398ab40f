"""Sentence patterns with slots, compiled once."""

import re
from collections.abc import Mapping
from functools import cache

_SLOT = re.compile(r"\{(\w+)\}")
_PIECE = re.compile(r"\[[^\]]*\]")


@cache
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(_SLOT.split(pattern))


def fill(pattern: str, slots: Mapping[str, str]) -> str:
    """Return a pattern of our own, filled, with a capital first letter. Raises KeyError for an unknown slot."""
    parts = _parts(pattern)
    if len(parts) == 1:
        return pattern
    text = "".join(slots[part] if number % 2 else part for number, part in enumerate(parts))
    return text if text[0].isupper() else text[0].upper() + text[1:]


def with_piece(pattern: str) -> str:
    """Return a pattern with the pieces that stand in square brackets."""
    return pattern.replace("[", "").replace("]", "")


def without_piece(pattern: str) -> str:
    """Return a pattern without the pieces that stand in square brackets."""
    return _PIECE.sub("", pattern)
