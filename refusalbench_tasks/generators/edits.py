"""Changes to passages as pairs of what is found and what replaces it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

_LAST_NUMBER = 1_000_000


class Replacement(BaseModel, extra="forbid", frozen=True):
    """One change to the passage."""

    find: str = Field(
        min_length=1,
        description=(
            "Copied word for word from the original, and long enough to stand there"
            " exactly once."
        ),
    )
    replace: str = Field(
        description=(
            "What stands there instead; to add something, repeat `find` in it; to cut,"
            " empty."
        )
    )

    @property
    def number(self) -> int:
        """Return the number of its passage, from 1."""
        return 1


class PassageReplacement(Replacement):
    """One change to one of several passages."""

    passage: int = Field(
        ge=-_LAST_NUMBER,
        le=_LAST_NUMBER,
        description="The passage's number as shown, from 1.",
    )

    @property
    def number(self) -> int:
        """Return the number of its passage, from 1."""
        return self.passage


class Edited(NamedTuple):
    """The changed passages, and the numbers (from 1) of the changes that could not be
    made.
    """

    passages: tuple[str, ...]
    not_found: tuple[int, ...] = ()
    no_passage: tuple[int, ...] = ()
    """Passage numbers that do not exist."""


def edited(passages: Sequence[str], changes: Sequence[Replacement]) -> Edited:
    """Return the passages after all changes; each is found in the original, not in what
    another one left.

    A change whose `find` does not stand exactly once in its passage, or overlaps an
    earlier change, is not made. Spacing inside `find` does not matter where it cannot
    be found as it is. Two spaces that a cut leaves become one.
    """
    spans: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    not_found = []
    no_passage = []
    for number, change in enumerate(changes, 1):
        k = change.number - 1
        if not 0 <= k < len(passages):
            no_passage.append(change.number)
            continue
        span = _span(passages[k], change.find)
        if span is None or any(_overlap(span, other) for other in spans[k]):
            not_found.append(number)
        else:
            spans[k].append((*span, change.replace))
    new = tuple(_replaced(text, spans[k]) for k, text in enumerate(passages))
    return Edited(
        new,
        tuple(not_found),
        tuple(dict.fromkeys(no_passage)),
    )


def _span(text: str, find: str) -> tuple[int, int] | None:
    """Return where a text is found that stands exactly once."""
    if text.count(find) == 1:
        start = text.index(find)
        return start, start + len(find)
    words = find.split()
    if not words or find in text:
        return None
    matches = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    return matches[0].span() if len(matches) == 1 else None


def _overlap(span: tuple[int, int], other: tuple[int, int, str]) -> bool:
    start, end, _ = other
    return span[0] < end and start < span[1]


def _replaced(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    if not spans:
        return text
    new = text
    for start, end, instead in sorted(spans, reverse=True):
        new = new[:start] + instead + new[end:]
    if "  " not in text:
        new = re.sub(r" {2,}", " ", new)
    return new.strip()
