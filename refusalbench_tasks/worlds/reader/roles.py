"""Deeds of one person for another: who did it, and to whom; and of which two only one can have done it to the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.worlds.reader.attribution import attributed
from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.modality import is_ruled_out
from refusalbench_tasks.worlds.reader.structure import Further
from refusalbench_tasks.worlds.reader.typed import NEGATION
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Fact, Never, Statement
from refusalbench_tasks.worlds.values import Value


@dataclass(frozen=True, slots=True)
class OneWay:
    """Of two people, at most one did for the other what `relation` says."""

    relation: str
    first: str
    second: str


def deed(line: Line, words: Lexicon) -> list[Statement | OneWay] | None:
    """Return what a sentence with two people says of a deed of one for the other; None if it tells of none.

    Raises Unreadable if it speaks of such a deed and doesn't tell who did it to whom.
    """
    deeds = {name: relation for name, relation in words.relations.items() if relation.deeds}
    if not deeds:
        return None
    said = attributed(line)
    people = said.line.marked("thing", "name")
    if len(people) != 2:
        return None
    for name, relation in deeds.items():
        if relation.one_way.search(said.line.shape):
            return [OneWay(name, *(str(one.content) for one in people))]
        if not relation.weight(said.line.shape):
            continue
        found = relation.deed.search(said.line.shape)
        if found is None:
            raise Unreadable(line.text, f"two people, and no telling who is the {name} of whom")
        if said.line.marked("year", "date", "month", "time", "number"):
            raise Unreadable(line.text, "a number beside a deed")
        roles = {key[:2]: said.line.tokens[tag] for key, tag in found.groupdict().items() if tag}
        doer = Value("person", str(roles["by"].content))
        if is_ruled_out(said.line):
            return [Never(str(roles["to"].content), name, doer)]
        if NEGATION.search(said.line.shape):
            raise Unreadable(line.text, "a negation beside a deed")
        return [Fact(str(roles["to"].content), name, doer, source=said.source, rank=said.rank)]
    return None


def ruled(statements: Sequence[Statement | Further | OneWay]) -> list[Statement | Further]:
    """Return statements with each deed, of two people of whom only one can have done it, ruled out the other way."""
    pairs = [one for one in statements if isinstance(one, OneWay)]
    found: list[Statement | Further] = []
    for one in statements:
        if isinstance(one, OneWay):
            continue
        found.append(one)
        if isinstance(one, Fact) and isinstance(one.value, Value) and _within(one, pairs):
            found.append(Never(str(one.value.content), one.relation, Value("person", str(one.subject))))
    return found


def _within(fact: Fact, pairs: Sequence[OneWay]) -> bool:
    assert isinstance(fact.value, Value)
    people = {fact.subject, fact.value.content}
    return any(fact.relation == pair.relation and people == {pair.first, pair.second} for pair in pairs)
