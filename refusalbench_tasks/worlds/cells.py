"""What a text says of each relation of each thing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.readings import each
from refusalbench_tasks.worlds.statement import Alias, Every, Fact, Part, Statement
from refusalbench_tasks.worlds.values import Value

OVER_PARTS = ("total", "mean", "median")
"""Operators over all parts of a whole."""
Table: TypeAlias = dict[tuple[str, str], list[Value]]
"""The values that each (subject, relation) may have."""


def cells(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Table:
    """Return the values that each (subject, relation) may have: those of the highest rank, rough ones only alone.

    Of the relations that the question touches: what it asks, describes a thing by, or must lie before or after that.
    """
    same = {one.name: one.of for one in statements if isinstance(one, Alias)}
    said: dict[tuple[str, str], list[Fact]] = {}
    touched = _touched(ask, ontology)
    for one in [*statements, *_entailed(statements)]:
        if isinstance(one, Fact) and one.relation in touched and (not ask.at or one.at in ("", ask.at)):
            value = one.value
            if isinstance(value, Value) and value.content in same:
                one = replace(one, value=replace(value, content=same[str(value.content)]))
            subject = same.get(str(one.subject), str(one.subject))
            said.setdefault((subject, one.relation), []).append(one)
    table: Table = {}
    for cell, facts in said.items():
        top = max(fact.rank for fact in facts)
        best = [fact for fact in facts if fact.rank == top]
        best = [fact for fact in best if not fact.about] or best
        values = list(dict.fromkeys(fact.value for fact in best if isinstance(fact.value, Value)))
        if cell[1] in ontology.many and len(values) > 1:
            names = sorted({name for value in values for name in each(value.content)})
            values = [Value("names", tuple(names))]
        table[cell] = values
    return table


def _touched(ask: Ask, ontology: Ontology) -> set[str]:
    asked = {str(one) for one in each(ask.relation)}
    asked |= {one for pair in ontology.before for one in pair if asked & {*pair}}
    return asked | {f"{how} {one}" for how in OVER_PARTS for one in asked} | ({ask.via[0]} if ask.via else set())


def _entailed(statements: Sequence[Statement]) -> list[Fact]:
    parts = [one for one in statements if isinstance(one, Part)]
    return [
        Fact(part.part, rule.relation, rule.value)
        for rule in statements
        if isinstance(rule, Every)
        for part in parts
        if part.whole == rule.whole
    ]


def named(ask: Ask, table: Table) -> list[str] | None:
    """Return the subjects, the first looked up if it is only described; None if nothing fits the description."""
    subjects = [str(name) for name in ask.subjects]
    if ask.via is None:
        return subjects
    relation, value = ask.via
    fitting = [name for (name, other), values in table.items() if other == relation and value in values]
    return [fitting[0], *subjects] if len(fitting) == 1 else None
