"""A small invented world: things of one kind and all values of theirs, which make sense
together.
"""

from dataclasses import dataclass, field
from random import Random

from refusalbench_tasks.worlds.document import (
    Document,
    Group,
    Relation,
    names,
    relations,
)
from refusalbench_tasks.worlds.values import SMALLER, Value, new_years_day

TRIES = 60
OTHERS = 8


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

    def value(self, name: str, group: Group, relation: Relation) -> Value:
        """Return a value of a thing, drawn when it is first asked for."""
        if (name, relation.noun) not in self.values:
            rng = self.rng(name, group if group == "values" else relation.noun)
            drawn = (
                self._together(rng)
                if group == "values"
                else {relation.noun: self.draw(rng, relation)}
            )
            self.values |= {(name, noun): value for noun, value in drawn.items()}
        return self.values[name, relation.noun]

    def rng(self, *about: str) -> Random:
        """Return what draws the same about one matter in all
        documents of this world.
        """
        return Random(":".join((self.key, *about)))

    def draw(self, rng: Random, relation: Relation) -> Value:
        """Return a value within a relation's limits."""
        low = relation.low
        high = relation.high
        step = relation.step
        if relation.type == "time":
            return Value("time", 5 * rng.randrange(int(low * 12), int(high * 12)))
        if relation.type == "date":
            return Value(
                "date", new_years_day(self.year) + rng.randint(int(low), int(high))
            )
        number = low + step * rng.randrange(round((high - low) / step) + 1)
        return Value(relation.type, round(number, 4), relation.unit)

    def another(self, rng: Random, name: str, relation: Relation) -> Value:
        """Return another value that the thing might have beside its other values, where
        one can be found.
        """
        current = self.values[name, relation.noun]
        other = current
        for _ in range(TRIES):
            drawn = self.draw(rng, relation)
            if drawn != current:
                other = drawn
                values = {
                    noun: value
                    for (thing, noun), value in self.values.items()
                    if thing == name
                }
                if self._makes_sense(values | {relation.noun: drawn}):
                    break
        return other

    def _together(self, rng: Random) -> dict[str, Value]:
        drawn: dict[str, Value] = {}
        for _ in range(TRIES):
            drawn = {
                relation.noun: self.draw(rng, relation)
                for relation in relations(self.document.name, "values")
            }
            if self._makes_sense(drawn):
                break
        return drawn

    def _makes_sense(self, values: dict[str, Value]) -> bool:
        return all(
            _base(values[less]) < _base(values[more])
            for less, more in self.document.order
            if less in values and more in values
        )


def _base(value: Value) -> float:
    """Return a number that measures in different units can be compared by."""
    factor = 1.0
    unit = value.unit
    while unit in SMALLER:
        unit, worth = SMALLER[unit]
        factor *= worth
    return value.number * factor


def new_world(rng: Random, kind: Document, things: int) -> World:
    """Return a world with so many things and further ones, whose names are different
    and no part of each other.
    """
    thing_names = _named(rng, [], things)
    key = str(rng.getrandbits(64))
    year = rng.randint(2012, 2026)
    others = _named(Random(f"{key}:others"), thing_names, OTHERS)
    return World(kind, key, year, thing_names, others)


def _named(rng: Random, taken: list[str], number: int) -> list[str]:
    """Return so many new names beside those that are taken."""
    parts = names()
    used = list(taken)
    while len(used) < len(taken) + number:
        name = rng.choice(parts.first) + rng.choice(parts.last)
        if not any(name in other or other in name for other in used):
            used.append(name)
    return used[len(taken) :]
