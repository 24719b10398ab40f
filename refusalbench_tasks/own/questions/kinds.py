"""What a question asks for, told by its words."""

import re
from collections.abc import Sequence
from enum import StrEnum

from refusalbench_tasks.errors import DataError


class Kind(StrEnum):
    """Kinds of questions; `OTHER` is whatever none of the words tell."""

    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how many"
    HOW_MUCH = "how much"
    WHICH = "which"
    WHY = "why"
    HOW = "how"
    OTHER = "other"


ASKED = tuple(kind for kind in Kind if kind not in (Kind.HOW, Kind.OTHER))
"""The kinds that take turns in a plan."""
_MEASURES = "much|high|long|tall|large|big|far|fast|old|heavy|deep|wide|thick|hot|cold|strong|late|early|soon"
_AMOUNTS = "price|cost|fee|amount|sum|share|percentage|proportion|rate|size|length|height|weight|width|depth|distance"
_TIMES = "year|date|day|month|time|week|weekday|hour|decade|century"
_PLACES = "city|town|country|place|village|street|building|room|location|region"
_WORDS = re.compile(
    rf"\b(?:(?P<HOW_MANY>how many|how often|(?:what|which) number)"
    rf"|(?P<HOW_MUCH>how (?:{_MEASURES})|what (?:(?:is|was|are|were) the )?(?:\w+ )?(?:{_AMOUNTS}))"
    rf"|(?P<WHEN>when|(?:what|which) (?:{_TIMES})s?)"
    rf"|(?P<WHERE>where|(?:what|which) (?:{_PLACES}))"
    rf"|(?P<WHO>who|whom|whose)|(?P<WHY>why|what (?:is|was) the reason|for what reason|what causes?d?)"
    rf"|(?P<WHICH>which|what)|(?P<HOW>how))\b",
    re.IGNORECASE,
)


def kind_of(question: str) -> Kind:
    """Return what a question asks for: its first question word counts (English); OTHER if it has none."""
    found = _WORDS.search(" ".join(question.split()))
    return Kind[found.lastgroup] if found and found.lastgroup else Kind.OTHER


def kinds_named(names: Sequence[str]) -> tuple[Kind, ...]:
    """Return the kinds of a list of names, each once; () for none. Raises DataError for an unknown name."""
    known = {kind.value: kind for kind in Kind}
    for name in names:
        if name not in known:
            raise DataError(f"kinds: unknown name '{name}'; known: {', '.join(known)}")
    return tuple(dict.fromkeys(known[name] for name in names))


def planned_kinds(position: int, number: int, kinds: Sequence[Kind] = ASKED) -> tuple[Kind, ...]:
    """Return the kinds that the writer is to prefer at a position of the plan: the kinds take turns over all chunks.

    `number` is how many questions each chunk may have; of fewer kinds each comes once.
    """
    turns = [kinds[(position * number + k) % len(kinds)] for k in range(number)]
    return tuple(dict.fromkeys(turns))
