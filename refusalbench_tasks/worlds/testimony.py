"""What sources say about a question's matter, and what readers make of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from refusalbench_tasks.worlds.persona import Level
from refusalbench_tasks.worlds.values import Value, written

Stance = Literal["states", "contradicts", "silent", "outdated"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One source's word: the relation asked about, of `subject`, is `value`; or was it, if it is not `current`."""

    subject: str
    value: Value
    level: Level
    current: bool = True


@dataclass(frozen=True, slots=True)
class Readings:
    """What follows from claims for a question about one thing; an answer is None where nothing or nothing single does.

    `reliable` goes by reliable sources alone, `all` takes every source at its word, `weighed` goes by the reliable
    ones where they speak and by the doubtful ones else. `sufficient`: some source gives the value that is asked for.
    `conflict`: two sources give different values for one matter, asked for or not.
    """

    reliable: Value | None
    all: Value | None
    weighed: Value | None
    conflict: bool
    sufficient: bool

    def as_row(self) -> dict[str, Any]:
        """Return the readings as a row holds them, with values as text."""
        answers = {"reliable": self.reliable, "all": self.all, "weighed": self.weighed}
        shown = {name: None if value is None else written(value) for name, value in answers.items()}
        return {**shown, "conflict": self.conflict, "sufficient": self.sufficient}


def readings(claims: Sequence[Claim], subject: str) -> Readings:
    """Return what readers make of claims when they are asked for the present value of a thing (our definition)."""
    told = [one for one in claims if one.subject == subject and one.current]
    reliable = [one for one in told if one.level == "reliable"]
    matters: dict[tuple[str, bool], set[Value]] = {}
    for one in claims:
        matters.setdefault((one.subject, one.current), set()).add(one.value)
    return Readings(
        reliable=_single(reliable),
        all=_single(told),
        weighed=_single(reliable or told),
        conflict=any(len(values) > 1 for values in matters.values()),
        sufficient=bool(told),
    )


def stance(claim: Claim | None, subject: str, gold: Value) -> Stance:
    """Return how a source stands to the gold answer of a question about a thing."""
    if claim is None or claim.subject != subject:
        return "silent"
    if not claim.current:
        return "outdated"
    return "states" if claim.value == gold else "contradicts"


def _single(claims: Iterable[Claim]) -> Value | None:
    values = {one.value for one in claims}
    return values.pop() if len(values) == 1 else None
