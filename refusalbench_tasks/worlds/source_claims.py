"""What sources say about a question's matter, and what readers make of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, get_args

from refusalbench_tasks.datasets.bluff_item import ConflictAbout, Stance
from refusalbench_tasks.worlds.persona import Level
from refusalbench_tasks.worlds.values import Value, written


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """One source's word: the relation asked about, of `subject`, is `value`; or was it,
    if it is not `current`.

    With `upto` it lies somewhere between the two, which are numbers or years.
    """

    subject: str
    value: Value
    level: Level
    current: bool = True
    upto: Value | None = None

    @property
    def told(self) -> str:
        """Return what is given as the value, as text."""
        if self.upto is None:
            return written(self.value)
        return f"between {written(self.value)} and {written(self.upto)}"

    def allows(self, value: Value) -> bool:
        """Return whether the value may be this one, as far as the claim goes."""
        if self.upto is None:
            return self.value == value
        return self.value.number <= value.number <= self.upto.number

    def excludes(self, other: "SourceClaim") -> bool:
        """Return whether this claim and another one, on the same matter, can't both be
        true.
        """
        if self.upto is None or other.upto is None:
            inexact, exact = (self, other) if self.upto else (other, self)
            return not inexact.allows(exact.value)
        return max(self.value.number, other.value.number) > min(
            self.upto.number, other.upto.number
        )


@dataclass(frozen=True, slots=True)
class Readings:
    """What follows from claims for a question about one thing; an answer is None where
    nothing or nothing single does.

    `reliable` goes by reliable sources alone, `all` takes every source at its word,
    `weighed` goes by the reliable ones where they speak and by the doubtful ones else.
    `sufficient`: some source gives the value that is asked for. `conflict`: two sources
    say of one matter, asked for or not, what can't both be true. `conflict_about`:
    which matter that is, `asked` before any other; None without a conflict.
    """

    reliable: Value | None
    all: Value | None
    weighed: Value | None
    conflict: bool
    sufficient: bool
    conflict_about: ConflictAbout | None = None

    def as_row(self) -> dict[str, Any]:
        """Return the readings as a row holds them, with values as text."""
        answers = {"reliable": self.reliable, "all": self.all, "weighed": self.weighed}
        shown = {
            name: None if value is None else written(value)
            for name, value in answers.items()
        }
        conflict = {"conflict": self.conflict, "conflict_about": self.conflict_about}
        return {**shown, **conflict, "sufficient": self.sufficient}


def readings(claims: Sequence[SourceClaim], subject: str) -> Readings:
    """Return what readers make of claims when they are asked for the present value of a
    thing (our definition).
    """
    stated = [
        claim
        for claim in claims
        if claim.subject == subject and claim.current and claim.upto is None
    ]
    reliable = [claim for claim in stated if claim.level == "reliable"]
    about = {
        _about(claim, other, subject)
        for claim, other in combinations(claims, 2)
        if (claim.subject, claim.current) == (other.subject, other.current)
        and claim.excludes(other)
    }
    return Readings(
        reliable=_single(reliable),
        all=_single(stated),
        weighed=_single(reliable or stated),
        conflict=bool(about),
        sufficient=bool(stated),
        conflict_about=min(about, key=get_args(ConflictAbout).index, default=None),
    )


def _about(claim: SourceClaim, other: SourceClaim, subject: str) -> ConflictAbout:
    """Return what two claims on one matter disagree on, for a
    question about a thing.
    """
    if claim.subject != subject:
        return "other_thing"
    if not claim.current:
        return "former_value"
    return "bounds" if claim.upto is not None and other.upto is not None else "asked"


def stance(claim: SourceClaim | None, subject: str, gold: Value) -> Stance:
    """Return how a source stands to the gold answer of a question about a thing."""
    if claim is None or claim.subject != subject:
        return "silent"
    if not claim.current:
        return "outdated"
    if not claim.allows(gold):
        return "contradicts"
    return "states" if claim.upto is None else "vague"


def _single(claims: Iterable[SourceClaim]) -> Value | None:
    values = {claim.value for claim in claims}
    return values.pop() if len(values) == 1 else None
