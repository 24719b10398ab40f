"""A small invented world: things of one kind and all values of theirs, which make sense
together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import TypeVar

from .document import (
    Document,
    NameParts,
    Relation,
    names,
    relations,
)
from .values import SMALLER, Value

Entry = TypeVar("Entry")
TRIES = 60
OTHERS = 12


@dataclass
class World:
    """The things of a quad, by name, with their values; both passages state parts of
    the same world.
    """

    document: Document
    key: str
    """What all draws follow from, each apart: a value is the same in whichever order
    values are asked for.
    """
    year: int
    """The year in which its documents were written."""
    names: list[str]
    others: list[str]
    """Names of further things, of which other documents tell."""
    values: dict[tuple[str, str], Value] = field(default_factory=dict)

    def value(
        self,
        name: str,
        relation: Relation,
    ) -> Value:
        """Return a value of a thing, drawn when it is first asked for."""
        key = (name, relation.noun)
        values = self.values
        if key not in values and relation.group == "values":
            rng = self.rng(name, relation.group)
            drawn = {}
            for _ in range(TRIES):
                for stated in relations(self.document.name, "values"):
                    drawn[stated.noun] = self.draw(rng, stated)
                if self._makes_sense(drawn):
                    break
            for noun, value in drawn.items():
                values[name, noun] = value
        elif key not in values:
            values[key] = self.draw(self.rng(name, relation.noun), relation)
        return values[key]

    def rng(self, *about: str) -> Random:
        """Return what draws the same about one matter in all
        documents of this world.
        """
        return Random(":".join((self.key, *about)))

    def draw(
        self,
        rng: Random,
        relation: Relation,
    ) -> Value:
        """Return a value within a relation's limits."""
        low = relation.low
        high = relation.high
        kind = relation.type
        if kind == "time":
            return Value("time", 5 * rng.randrange(int(low * 12), int(high * 12)))
        if kind == "date":
            new_year = date(self.year, 1, 1).toordinal()
            day = new_year + rng.randint(int(low), int(high))
            return Value("date", day)
        steps = round((high - low) / relation.step)
        number = low + relation.step * rng.randrange(steps + 1)
        return Value(
            kind,
            round(number, 4),
            relation.unit,
        )

    def former(self, name: str, relation: Relation) -> Value:
        """Return the value that a thing had in earlier years."""
        rng = self.rng(name, relation.noun, "former")
        return self.another(
            rng,
            name,
            relation,
            (),
        )

    def another(
        self,
        rng: Random,
        name: str,
        relation: Relation,
        but: Sequence[Value],
    ) -> Value:
        """Return another value that the thing might have beside its other values, where
        one can be found, and none of `but`.
        """
        current = self.value(name, relation)
        values = {}
        for (thing, noun), value in self.values.items():
            if thing == name:
                values[noun] = value
        other = current
        for _ in range(TRIES):
            drawn = self.draw(rng, relation)
            if drawn != current and drawn not in but:
                other = drawn
                if self._makes_sense(values | {relation.noun: drawn}):
                    break
        return other

    def _makes_sense(
        self,
        values: dict[str, Value],
    ) -> bool:
        for less, more in self.document.order:
            if less not in values or more not in values:
                continue
            if _in_smallest_unit(values[less]) >= _in_smallest_unit(values[more]):
                return False
        return True


def _in_smallest_unit(value: Value) -> float:
    """Return a number that measures in different units can be compared by."""
    while value.unit in SMALLER:
        value = value.in_smaller_unit()
    return value.number


def new_world(
    rng: Random,
    kind: Document,
    things: int,
    parts: NameParts | None = None,
) -> World:
    """Return a world with so many things and further ones, whose names are different
    and no part of each other; of places, if no parts of names are given.
    """
    parts = parts or (names().first, names().last)
    thing_names = _new_names(
        rng,
        parts,
        [],
        things,
    )
    key = str(rng.getrandbits(64))
    year = rng.randint(2012, 2026)
    others = _new_names(
        Random(f"{key}:others"),
        parts,
        thing_names,
        OTHERS,
    )
    return World(
        kind,
        key,
        year,
        thing_names,
        others,
    )


def _new_names(
    rng: Random,
    parts: NameParts,
    taken: list[str],
    number: int,
) -> list[str]:
    """Return so many new names beside those that are taken."""
    first, last = parts
    used = list(taken)
    while len(used) < len(taken) + number:
        name = rng.choice(first) + rng.choice(last)
        if not any(name in other or other in name for other in used):
            used.append(name)
    return used[len(taken) :]


def shuffled(
    rng: Random,
    entries: Sequence[Entry],
) -> list[Entry]:
    """Return entries in a drawn order."""
    return rng.sample(entries, len(entries))
