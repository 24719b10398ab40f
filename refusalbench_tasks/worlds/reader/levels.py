"""A value of a sample, or of a thing as a whole, where the relation is of another level."""

from dataclasses import replace

from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader.clause import clause
from refusalbench_tasks.worlds.reader.lexicon import Lexicon, RelationWords
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Fact, Part, Statement
from refusalbench_tasks.worlds.values import Value


def sampled(line: Line, words: Lexicon) -> list[Statement] | None:
    """Return what a sentence says of a sample, or of what is larger than that of which the relation is.

    None if it says nothing of a relation that a sample can be taken of. Raises Unreadable if it gives no number.
    """
    things = line.marked("thing")
    if len({one.content for one in things}) != 1 or not isinstance(things[0].content, str):
        return None
    name, kind = things[0].content, things[0].kind
    for relation_name, _ in words.spoken_of(kind, line.shape):
        relation = words.relations[relation_name]
        if not (relation.sample or relation.inner):
            continue
        if relation.sample and relation.sampling.search(line.shape):
            return _of_sample(line, name, relation_name, relation)
        if relation.inner:
            stated = clause(line, words)
            return [_inwards(one, name, relation_name, relation) for one in stated]
    return None


def _of_sample(line: Line, name: str, relation_name: str, relation: RelationWords) -> list[Statement]:
    value = _number(line, relation)
    days = line.marked("date")
    if relation.inner:
        return [Part(f"{relation.inner} of {name}", name), Fact(name, relation_name, value)]
    if days:
        return [Fact(name, relation_name, value, str(days[0].content))]
    part = f"a sample of {name}"
    return [Part(part, name), Fact(part, relation_name, value)]


def _number(line: Line, relation: RelationWords) -> Value:
    """Return a sample's number, in whatever unit it is given."""
    found = line.marked("number")
    if relation.type == "count":
        found = [one for one in found if not one.unit]
    if not found:
        raise Unreadable(line.text, "a sample without a number")
    return Value("measure" if found[0].unit else "count", found[0].number, found[0].unit)


def _inwards(stated: Statement, name: str, relation_name: str, relation: RelationWords) -> Statement:
    """Return a fact of the part of a thing that its relation is of."""
    if isinstance(stated, Fact) and stated.relation == relation_name:
        return replace(stated, subject=f"{relation.inner} of {name}")
    return stated


def inner_ask(ask: Ask, words: Lexicon) -> Ask:
    """Return a question about the part of a thing that its relation is of."""
    relation = words.relations.get(str(ask.relation))
    if relation is None or not relation.inner:
        return ask
    return replace(ask, subjects=tuple(f"{relation.inner} of {name}" for name in ask.subjects))
