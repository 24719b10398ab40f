"""Orders that depend on a seed alone, and groups that take turns."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Entry = TypeVar("Entry")


def rank(name: str, seed: int) -> bytes:
    """Return a sort key that depends on the name and the seed, the same on every machine."""
    return hashlib.sha256(f"{seed}|{name}".encode()).digest()


def take_turns(groups: Sequence[Sequence[Entry]]) -> list[Entry]:
    """Return the first entry of each group in their order, then the second of each, and so on, until all are used.

    So every prefix holds as much of each group as it can.
    """
    longest = max(map(len, groups), default=0)
    return [group[turn] for turn in range(longest) for group in groups if turn < len(group)]
