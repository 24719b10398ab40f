"""What a question's answer is, given what a text says and nothing else; or why there is none.

Certain answers over the readings of text and question and over the repairs of contradictions (our definition,
docs/worlds.md).
"""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.cells import OVER_PARTS, cells, named
from refusalbench_tasks.worlds.judgements import evaluated
from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.query import NONFACTUAL, Ask
from refusalbench_tasks.worlds.readings import Impure, readings, spoken_of
from refusalbench_tasks.worlds.repairs import repairs
from refusalbench_tasks.worlds.solved import Solved
from refusalbench_tasks.worlds.statement import Denial, Fact, Kind, Part, Statement, Unrecorded
from refusalbench_tasks.worlds.values import Value

__all__ = ["Impure", "Ontology", "Solved", "solve"]

_NOTHING = Value("count", 0)


def solve(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Solved:
    """Return the right behaviour for a question beside a text's statements, and the answer.

    In this order: a presupposition that the text denies; an operator that is no matter of fact, without a criterion; no
    derivation; one answer in every reading and repair; answers that differ between repairs of a contradiction, or
    between readings. Readings of the question whose presupposition the text denies count only if all are such. Raises
    Impure if the text has two of these defects at once.
    """
    ways = [one for one in readings(statements, ask, ontology) if not _denied(*one, ontology)]
    if not ways:
        return Solved(Label.FALSE_PREMISE)
    if ask.operator in NONFACTUAL or ask.operator == "evaluate":
        return evaluated(statements, ask, ontology, solve)
    if ask.operator == "change":
        return _change(statements, ask, ontology)
    if ask.operator == "at_least" and str(ask.relation).startswith("total "):
        return _total_at_least(statements, ask, ontology)
    outcomes = [repairs(reading, question, ontology) for reading, question in spoken_of(ways, ask)]
    found = {answer for answers in outcomes for answer in answers}
    if found == {None}:
        return Solved(_absence(statements, ask, ontology))
    if None in found:
        raise Impure(f"only some readings have an answer: {ask}")
    if len(found) == 1:
        return Solved(Label.ANSWER, found.pop())
    clash = any(len(set(answers)) > 1 for answers in outcomes)
    if clash and len(outcomes) > 1:
        raise Impure(f"a contradiction and several readings: {ask}")
    return Solved(Label.CONTRADICTORY if clash else Label.AMBIGUOUS)


def _denied(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> bool:
    wanted = {*ask.presumes}
    if isinstance(ask.relation, str) and ask.operator not in NONFACTUAL | {"evaluate"}:
        wanted |= {(name, ask.relation) for name in ask.subjects if isinstance(name, str)}
    denials = {(one.subject, one.relation) for one in statements if isinstance(one, Denial)}
    kinds = {one.subject: one.kind for one in statements if isinstance(one, Kind)}
    denied = {pair for pair in wanted if pair in denials}
    for subject, relation in wanted:
        due = ontology.subjects.get(relation)
        if due is not None and kinds.get(subject, due) != due:
            denied.add((subject, relation))
    stated = {(one.subject, one.relation) for one in statements if isinstance(one, Fact)}
    if denied & stated:
        raise Impure(f"stated and denied at once: {denied & stated}")
    return bool(denied)


def _change(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Solved:
    """Return the change between the ends of the asked period, from the values at both."""
    ends = [solve(statements, replace(ask, operator="value", at=year), ontology) for year in ask.at.split("/")]
    for end in ends:
        if end.label not in (Label.ANSWER, Label.MISSING, Label.GRANULARITY):
            return end
    first, last = (end.answer for end in ends)
    if first is None or last is None:
        return Solved(_absence(statements, ask, ontology))
    return Solved(Label.ANSWER, replace(first, content=abs(round(first.number - last.number, 6))))


def _total_at_least(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Solved:
    """Return whether the total of a whole is at or above the limit; a few parts that reach it alone settle it."""
    assert ask.limit is not None
    total = replace(ask, operator="total", relation=str(ask.relation).removeprefix("total "), limit=None)
    found = solve(statements, total, ontology)
    if found.answer is None:
        table = cells(statements, total, ontology)
        parts = {one.part for one in statements if isinstance(one, Part) and one.whole in ask.subjects}
        known = sum(min(value.number for value in table.get((part, str(total.relation)), [_NOTHING])) for part in parts)
        return Solved(Label.ANSWER, Value("flag", True)) if known >= ask.limit.number else found
    return Solved(Label.ANSWER, Value("flag", found.answer.number >= ask.limit.number))


def _absence(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Label:
    """Return why nothing can be derived: the text speaks of another level than is asked, or not of it at all.

    If the text says that the value, or that of a part or whole, is not on record, that is what is missing.
    Another level are the asked relation of a part, its total, mean, median, joint list or own value for a whole, or its
    value for a shorter or a longer period.
    """
    relation = str(ask.relation)
    subjects = named(ask, cells(statements, ask, ontology)) or [str(name) for name in ask.subjects]
    levels = {relation, f"all {relation}", *(f"{aggregate} {relation}" for aggregate in OVER_PARTS)}
    facts = [one for one in statements if isinstance(one, Fact) and one.relation in levels]
    parts = {one.part for one in statements if isinstance(one, Part) and one.whole in subjects}
    wholes = {one.whole for one in statements if isinstance(one, Part) and one.part in subjects}
    gaps = {one.subject for one in statements if isinstance(one, Unrecorded) and one.relation == relation}
    if gaps & {*subjects, *parts, *wholes}:
        return Label.MISSING
    other_level = any(fact.subject in parts | wholes for fact in facts)
    other_scale = any(fact.subject in subjects and _overlap(fact.at, ask.at) for fact in facts)
    return Label.GRANULARITY if other_level or other_scale else Label.MISSING


def _overlap(one: str, other: str) -> bool:
    """Return whether two different periods share a year; False if one is not stated."""
    if not one or not other or one == other:
        return False
    (start, end), (first, last) = ((at.split("/")[0][:4], at.split("/")[-1][:4]) for at in (one, other))
    return start <= last and first <= end
