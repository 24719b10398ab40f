"""A JSON array that is read a part at a time."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from pydantic_core import from_json

from refusalbench_tasks.files.narrow_json import Parse

_PART = 2 << 20
"""About so many bytes are parsed at once."""
_TRIES = 64
"""So many places are tried for an end, from the last one backwards."""
_GAP = 64
"""So many bytes are looked through for the comma between two elements."""
_BETWEEN = re.compile(rb"\}\s*,\s*$")
_SPACE = b" \t\r\n"


def array_parts(pieces: Iterable[bytes], part: int = _PART, parse: Parse = from_json) -> Iterator[list[Any]]:
    """Yield the elements of a JSON array of objects, in lists of about `part` bytes of JSON each.

    `pieces` are the array's bytes in order. Where elements end is guessed from the bytes between two of them and proved
    by parsing what stands before: a guess inside of an element leaves a bracket or a string open, which is no JSON.
    `parse` makes values of an array, of all of it or a part, and raises ValueError for what is no JSON. Raises
    ValueError for what is no array.
    """
    held = b""
    like: bytes | None = None
    wanted = part
    for piece in _behind_the_bracket(pieces):
        held += piece
        if len(held) < wanted:
            continue
        like = like or _start_of(held)
        found, held = _cut(held, like, parse)
        # what has no end among so many bytes is one large element, and is looked at again with twice as many
        wanted = part if found else 2 * len(held)
        if found:
            yield found
    last = parse(b"[" + held)
    if last:
        yield last


def inner(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what is between the brackets of a JSON array, as it is; nothing if that is nothing but spaces.

    Raises ValueError for what has no brackets; what is between them is not looked at.
    """
    held = b""
    for piece in _behind_the_bracket(pieces):
        held += piece
        # the last bracket may be in the next piece
        most = len(held) - _GAP
        if most > 0:
            yield held[:most]
            held = held[most:]
    held = held.rstrip(_SPACE)
    if not held.endswith(b"]"):
        raise ValueError("no JSON array")
    if last := held[:-1].rstrip(_SPACE):
        yield last


def _behind_the_bracket(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what stands behind the bracket that opens an array; raises ValueError without one."""
    held, opened = b"", False
    for piece in pieces:
        if opened:
            yield piece
            continue
        held = (held + piece).lstrip(_SPACE)
        if held and not held.startswith(b"["):
            raise ValueError("no JSON array")
        if held:
            opened = True
            yield held[1:].lstrip(_SPACE)
    if not opened:
        raise ValueError("no JSON array")


def _start_of(held: bytes) -> bytes:
    """Return how the elements begin: up to the colon after the first name, with the spaces before it."""
    found = re.match(rb'\s*\{\s*"[^"\\]*"\s*:', held)
    return found[0].lstrip(_SPACE) if found else b"{"


def _cut(held: bytes, like: bytes, parse: Parse) -> tuple[list[Any], bytes]:
    """Return the elements up to the last end that is found, and the rest; none if there is no end."""
    # the elements of one writer begin alike, so such places come first; any other one is tried after them
    for place in chain(_starts(held, like), _starts(held, b"{")):
        end = held.rindex(b",", 0, place)
        try:
            return parse(b"".join((b"[", memoryview(held)[:end], b"]"))), held[place:]
        except ValueError:
            continue
    return [], held


def _starts(held: bytes, like: bytes) -> Iterator[int]:
    """Yield the last places where an element may begin after another one, the last one first."""
    place, tries = len(held), 0
    while tries < _TRIES and (place := held.rfind(like, 0, place)) > 0:
        if _BETWEEN.search(held, max(0, place - _GAP), place):
            tries += 1
            yield place
