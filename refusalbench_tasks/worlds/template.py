"""Sentence patterns with slots `{S}` and alternatives `(this|that)`, compiled once.

Alternatives may be empty, hold slots and further alternatives. Round brackets without a bar are text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import chain, product
from random import Random
from typing import TypeAlias

_PIECE = re.compile(r"\[[^\]]*\]")
_INNERMOST = re.compile(r"\(([^()]*\|[^()]*)\)")
_MARK = re.compile(r"\{(\w+)\}|\x00(\d+)\x00")

_Part: TypeAlias = "str | _Slot | _Choice"


class _Slot(str):
    """The name of a slot."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Choice:
    """Alternatives, each a sequence of parts, and their text."""

    options: tuple[tuple[_Part, ...], ...]
    text: str


@cache
def _parsed(pattern: str) -> tuple[_Part, ...]:
    held: list[str] = []

    def keep(found: re.Match[str]) -> str:
        held.append(found[1])
        return f"\0{len(held) - 1}\0"

    text, number = pattern, 1
    while number:
        text, number = _INNERMOST.subn(keep, text)
    return _parts(text, held)


def _parts(text: str, held: list[str]) -> tuple[_Part, ...]:
    found: list[_Part] = []
    end = 0
    for mark in _MARK.finditer(text):
        if mark.start() > end:
            found.append(text[end : mark.start()])
        slot, choice = mark.groups()
        found.append(_Slot(slot) if slot else _choice(held[int(choice)], held))
        end = mark.end()
    return (*found, text[end:]) if end < len(text) else tuple(found)


def _choice(text: str, held: list[str]) -> _Choice:
    return _Choice(tuple(_parts(one, held) for one in text.split("|")), text)


def fill(pattern: str, slots: Mapping[str, str]) -> str:
    """Return a pattern of our own, filled, with a capital first letter. Raises KeyError for an unknown slot.

    Which alternatives it takes follows from what fills the slots, so that the same sentence about the same thing has
    the same words wherever it is said.
    """
    parts = _parsed(pattern)
    if len(parts) == 1 and type(parts[0]) is str:
        return pattern
    text = "".join(_said(parts, slots))
    return text if text[:1].isupper() else text[:1].upper() + text[1:]


def _said(parts: tuple[_Part, ...], slots: Mapping[str, str]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, _Slot):
            yield slots[part]
        elif isinstance(part, _Choice):
            # a checksum would tie the groups of a pattern to each other
            key = blake2b("\0".join([*slots.values(), part.text]).encode(), digest_size=6).digest()
            yield from _said(part.options[int.from_bytes(key, "big") % len(part.options)], slots)
        else:
            yield part


def drawn(pattern: str, rng: Random) -> str:
    """Return a pattern without slots, with alternatives drawn."""
    return fill(pattern, {"": str(rng.random())}) if "|" in pattern else pattern


def variants(pattern: str) -> tuple[str, ...]:
    """Return all patterns that the alternatives of a pattern make, without double ones."""
    return tuple(dict.fromkeys(_variants(_parsed(pattern))))


def _variants(parts: tuple[_Part, ...]) -> Iterator[str]:
    options = [
        list(chain.from_iterable(map(_variants, part.options))) if isinstance(part, _Choice) else [_shown(part)]
        for part in parts
    ]
    return map("".join, product(*options))


def _shown(part: _Part) -> str:
    return f"{{{part}}}" if isinstance(part, _Slot) else str(part)


def with_piece(pattern: str) -> str:
    """Return a pattern with the pieces that stand in square brackets."""
    return pattern.replace("[", "").replace("]", "")


def without_piece(pattern: str) -> str:
    """Return a pattern without the pieces that stand in square brackets."""
    return _PIECE.sub("", pattern)
