"""What a text can say about a world: the statements that its sentences are made from, and read back to.

A field typed `OneOf` holds one thing, or a tuple of things if the text can be read in several ways.
"""

from dataclasses import dataclass
from typing import TypeAlias

from refusalbench_tasks.worlds.values import Value

Names: TypeAlias = str | tuple[str, ...]
"""A name, or the names between which a text leaves it open."""
Values: TypeAlias = Value | tuple[Value, ...]
"""A value, or those between which a text leaves it open."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Relation `relation` of `subject` is `value`.

    `at` is the period it holds for (a year, an ISO date or `2005/2014`, as text; empty: always), `source` whose word it
    is (empty: the text's own), `rank` that source's authority (higher overrules lower), `about` whether the value is
    only given roughly.
    """

    subject: Names
    relation: str
    value: Values
    at: str = ""
    source: str = ""
    rank: int = 1
    about: bool = False


@dataclass(frozen=True, slots=True)
class Denial:
    """The event or thing that `relation` of `subject` would be never was: no value can exist."""

    subject: str
    relation: str


@dataclass(frozen=True, slots=True)
class Kind:
    """`subject` is of a kind of things, as the pack names it."""

    subject: str
    kind: str


@dataclass(frozen=True, slots=True)
class Part:
    """`part` is one of the members or branches of `whole`."""

    part: str
    whole: str


@dataclass(frozen=True, slots=True)
class Extent:
    """`whole` has exactly `count` parts."""

    whole: str
    count: int


@dataclass(frozen=True, slots=True)
class Every:
    """Relation `relation` of each part of `whole` is `value`."""

    whole: str
    relation: str
    value: Value


@dataclass(frozen=True, slots=True)
class Rule:
    """Within `scope` (a thing or a whole), something counts as `term` if its `relation` is above (below) `limit`."""

    scope: str
    term: str
    relation: str
    above: bool
    limit: Value


@dataclass(frozen=True, slots=True)
class Ranking:
    """Within `scope` (a thing or a whole), of two things the one with the higher (lower) `relation` is `term`."""

    scope: str
    term: str
    relation: str
    higher: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rule book within the text has settled that `term` holds of `subject`, or that it does not."""

    subject: str
    term: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Alias:
    """`name` is another name of `of`."""

    name: str
    of: str


@dataclass(frozen=True, slots=True)
class Either:
    """A sentence with several readings: the text states one of these sets of facts, and leaves it open which."""

    readings: tuple[tuple[Fact, ...], ...]


@dataclass(frozen=True, slots=True)
class Never:
    """Relation `relation` of `subject` is anything but `value`."""

    subject: str
    relation: str
    value: Value


@dataclass(frozen=True, slots=True)
class Between:
    """Relation `relation` of `subject` lies somewhere between `low` and `high`: no value of it is stated."""

    subject: str
    relation: str
    low: Value
    high: Value


@dataclass(frozen=True, slots=True)
class Order:
    """Relation `relation` of `first` is higher, or later, than that of `second`."""

    first: str
    second: str
    relation: str


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """There is no record of `relation` of `subject`: it has a value, and nobody can give it."""

    subject: str
    relation: str


Statement: TypeAlias = (
    Between
    | Either
    | Fact
    | Denial
    | Kind
    | Part
    | Extent
    | Every
    | Rule
    | Ranking
    | Verdict
    | Alias
    | Never
    | Order
    | Unrecorded
)
