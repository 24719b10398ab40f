"""What a document states: that from which its sentences are written and labels are
computed.
"""

from dataclasses import dataclass
from typing import Literal

from .values import Value


@dataclass(frozen=True)
class Named:
    """`thing` bears `name`; two things may bear one name."""

    name: str
    thing: str


@dataclass(frozen=True)
class Fact:
    """Relation `relation` of `thing` is `value`.

    `sense` is the condition under which it holds (empty: always), `level` what else
    than the thing itself it is measured on (a sum, a range, a single day; empty: the
    thing itself), `until` the last year for which it is fixed (0: the present only). A
    `former` value holds no more.
    """

    thing: str
    relation: str
    value: Value
    sense: str = ""
    level: str = ""
    until: int = 0
    former: bool = False


@dataclass(frozen=True)
class Denial:
    """What `relation` of `thing` would be of does not exist or never was: no value can
    exist.
    """

    thing: str
    relation: str


@dataclass(frozen=True)
class Classing:
    """The document itself classes `relation` of `thing` as `word`."""

    thing: str
    relation: str
    word: str


Statement = Named | Fact | Denial | Classing


@dataclass(frozen=True)
class Ask:
    """A question: for a `value`, a `grade` (whether `word` is right), what will hold in
    `year`, or an `opinion`.

    `compare` asks which of `name` and `other` has the greater value.
    """

    kind: Literal["value", "grade", "future", "compare", "opinion"]
    name: str
    relation: str
    word: str = ""
    opposite: str = ""
    """The only other grade that the document gives."""
    year: int = 0
    other: str = ""
