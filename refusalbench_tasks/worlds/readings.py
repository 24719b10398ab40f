"""The ways to read a text and a question."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.statement import Either, Fact, Statement

MOST_READINGS = 64
Reading: TypeAlias = tuple[list[Statement], Ask]
"""The statements of a text, and a question, with nothing left open."""


class Impure(ValueError):
    """Two defects stand in one item, so that no code is the right one."""


def readings(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Iterator[Reading]:
    """Yield each way to read the statements that the question touches, with each way to read the question."""
    relations = {ask.relation} if isinstance(ask.relation, str) else set(ask.relation)
    if ask.via:
        relations.add(ask.via[0])
    relations |= {one for pair in ontology.before for one in pair if relations & set(pair)}
    open_ones = [
        one
        for one in statements
        if isinstance(one, Fact)
        and one.relation in relations
        and (isinstance(one.subject, tuple) or isinstance(one.value, tuple))
    ]
    ways = [
        [replace(one, subject=subject, value=value) for subject in each(one.subject) for value in each(one.value)]
        for one in open_ones
    ]
    asked = [each(ask.relation), *(each(name) for name in ask.subjects)]
    told = [
        one.readings
        for one in statements
        if isinstance(one, Either) and any(fact.relation in relations for way in one.readings for fact in way)
    ]
    chosen = [one for one in statements if not isinstance(one, Either) and not (open_ones and one in open_ones)]
    for number, (relation, *rest) in enumerate(product(*asked, *ways, *told)):
        if number >= MOST_READINGS:
            raise Impure("too many readings")
        named, said, facts = (
            rest[: len(ask.subjects)],
            rest[len(ask.subjects) : len(rest) - len(told)],
            [fact for way in rest[len(rest) - len(told) :] for fact in way],
        )
        yield [*chosen, *said, *facts], replace(ask, relation=relation, subjects=tuple(named))


def spoken_of(readings: list[Reading], ask: Ask) -> list[Reading]:
    """Return, of an open question's readings, those that the text speaks of; all of them if there is none."""
    if isinstance(ask.relation, str) and all(isinstance(name, str) for name in ask.subjects):
        return readings
    kept = [
        (reading, question)
        for reading, question in readings
        if all(
            any(isinstance(one, Fact) and (one.subject, one.relation) == (name, question.relation) for one in reading)
            for name in question.subjects
        )
    ]
    return kept or readings


def each(thing: Any) -> tuple[Any, ...]:
    """Return what a field leaves open, as a tuple; a tuple of one if it leaves nothing open."""
    return thing if isinstance(thing, tuple) else (thing,)
