"""What sources say about a question's matter, and what readers make of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, get_args

from refusalbench_tasks.datasets.bluff_item import ConflictAbout, Stance

from .persona import Level
from .values import Value


@dataclass(frozen=True)
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
    def value_text(self) -> str:
        """Return what is given as the value, as text."""
        if self.upto is None:
            return str(self.value)
        return f"between {self.value} and {self.upto}"

    def allows(self, value: Value) -> bool:
        """Return whether the value may be this one, as far as the claim goes."""
        if self.upto is None:
            return self.value == value
        return self.value.number <= value.number <= self.upto.number

    def excludes(self, other: "SourceClaim") -> bool:
        """Return whether this claim and another one, on the same matter, can't both be
        true.
        """
        if self.upto is None:
            return not other.allows(self.value)
        if other.upto is None:
            return not self.allows(other.value)
        lowest = max(self.value.number, other.value.number)
        return lowest > min(self.upto.number, other.upto.number)


@dataclass(frozen=True)
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
        return {
            "reliable": self.reliable and str(self.reliable),
            "all": self.all and str(self.all),
            "weighed": self.weighed and str(self.weighed),
            "conflict": self.conflict,
            "conflict_about": self.conflict_about,
            "sufficient": self.sufficient,
        }


def source_readings(
    claims: Sequence[SourceClaim],
    subject: str,
) -> Readings:
    """Return what readers make of claims when they are asked for the present value of a
    thing (our definition).
    """
    stated = []
    for claim in claims:
        if claim.subject == subject and claim.current and claim.upto is None:
            stated.append(claim)
    reliable = [claim for claim in stated if claim.level == "reliable"]
    about = set()
    for claim, other in combinations(claims, 2):
        alike = (claim.subject, claim.current) == (other.subject, other.current)
        if alike and claim.excludes(other):
            about.add(_about(claim, other, subject))
    return Readings(
        reliable=_single(reliable),
        all=_single(stated),
        weighed=_single(reliable or stated),
        conflict=bool(about),
        sufficient=bool(stated),
        conflict_about=min(about, key=get_args(ConflictAbout).index, default=None),
    )


def _about(
    claim: SourceClaim,
    other: SourceClaim,
    subject: str,
) -> ConflictAbout:
    """Return what two claims on one matter disagree on, for a
    question about a thing.
    """
    if claim.subject != subject:
        return "other_thing"
    if not claim.current:
        return "former_value"
    return "bounds" if claim.upto and other.upto else "asked"


def stance(
    claim: SourceClaim | None,
    subject: str,
    gold: Value,
) -> Stance:
    """Return how a source stands to the gold answer of a question about a thing."""
    if claim is None or claim.subject != subject:
        return "silent"
    if not claim.current:
        return "outdated"
    if not claim.allows(gold):
        return "contradicts"
    return "vague" if claim.upto else "states"


def _single(claims: Sequence[SourceClaim]) -> Value | None:
    values = {claim.value for claim in claims}
    return values.pop() if len(values) == 1 else None
