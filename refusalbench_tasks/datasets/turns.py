"""Groups that take turns, so that every prefix holds as much of each as it can."""

from collections.abc import Sequence
from typing import TypeVar

Entry = TypeVar("Entry")


def take_turns(groups: Sequence[Sequence[Entry]]) -> list[Entry]:
    """Return the first entry of each group in their order, then the second of each, and so on, until all are used."""
    longest = max(map(len, groups), default=0)
    return [group[turn] for turn in range(longest) for group in groups if turn < len(group)]
