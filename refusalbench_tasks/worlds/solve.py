"""What a question's answer is, given what a document states and nothing else; or why
there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from refusalbench_tasks.taxonomy import Label

from .statement import (
    Ask,
    Classing,
    Denial,
    Fact,
    Named,
    Statement,
)
from .values import Value

Statements = Sequence[Statement]

Kind = TypeVar(
    "Kind",
    Fact,
    Denial,
    Classing,
)


class Impure(Exception):
    """Two things stand in the way of an answer at once, so that no single code is
    right.
    """


@dataclass(frozen=True)
class Solved:
    """The right behaviour for a question beside a document, and the answer if there is
    one.
    """

    label: Label
    answer: Value | None = None


def solve(
    statements: Statements,
    ask: Ask,
) -> Solved:
    """Return the right behaviour for a question beside what a document states.

    In this order: an opinion; a presupposition that the document denies; no value of
    the thing itself, though one at another level; none at all; values that disagree in
    one sense of one thing; values that differ between senses or between things of one
    name; one answer. Grades and the future are no matter of fact unless the document
    settles them. Raises Impure if two of these hold at once.
    """
    kind = ask.kind
    if kind == "opinion":
        return Solved(Label.NONFACTUAL)
    if kind == "compare":
        return _compared(statements, ask)
    facts = [fact for fact in _asked(Fact, statements, ask) if not fact.former]
    if _asked(Denial, statements, ask):
        if facts:
            raise Impure(f"stated and denied at once: {ask}")
        return Solved(Label.FALSE_PREMISE)
    if kind == "grade":
        return _graded(statements, ask)
    value = _value(facts, ask)
    if kind == "value" or value.answer is None:
        return value
    is_fixed = all(fact.until >= ask.year for fact in facts)
    return value if is_fixed else Solved(Label.NONFACTUAL)


def _asked(
    kind: type[Kind],
    statements: Statements,
    ask: Ask,
) -> list[Kind]:
    """Return the statements of a kind on the asked relation of the asked things."""
    things = set()
    for statement in statements:
        if isinstance(statement, Named) and statement.name == ask.name:
            things.add(statement.thing)
    return [
        statement
        for statement in statements
        if isinstance(statement, kind)
        and statement.relation == ask.relation
        and statement.thing in things
    ]


def _value(facts: Sequence[Fact], ask: Ask) -> Solved:
    direct = [fact for fact in facts if not fact.level]
    if not direct:
        return Solved(Label.GRANULARITY if facts else Label.MISSING)
    if len(direct) < len(facts):
        raise Impure(f"stated at two levels: {ask}")
    by_sense: dict[tuple[str, str], set[Value]] = {}
    for fact in direct:
        key = (fact.thing, fact.sense)
        by_sense.setdefault(key, set()).add(fact.value)
    values = {fact.value for fact in direct}
    if any(len(alike) > 1 for alike in by_sense.values()):
        if len(by_sense) > 1:
            raise Impure(f"a contradiction and several readings: {ask}")
        return Solved(Label.CONTRADICTORY)
    if len(values) > 1:
        return Solved(Label.AMBIGUOUS)
    return Solved(Label.ANSWER, values.pop())


def _graded(
    statements: Statements,
    ask: Ask,
) -> Solved:
    words = {classing.word for classing in _asked(Classing, statements, ask)}
    if not words:
        return Solved(Label.NONFACTUAL)
    if len(words) > 1 or words - {ask.word, ask.opposite}:
        raise Impure(f"grades {sorted(words)}: {ask}")
    return Solved(Label.ANSWER, Value("flag", float(ask.word in words)))


def _compared(
    statements: Statements,
    ask: Ask,
) -> Solved:
    first, second = (
        solve(statements, Ask("value", name, ask.relation)).answer
        for name in (ask.name, ask.other)
    )
    if first is None or second is None:
        raise Impure(f"nothing to compare: {ask}")
    if first.number == second.number:
        raise Impure(f"equal values: {ask}")
    greater = ask.name if first.number > second.number else ask.other
    return Solved(Label.ANSWER, Value("entity", 0, name=greater))
