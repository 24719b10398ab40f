"""What a question's answer is, given what a text says and nothing else; or why there is none.

Certain answers over the readings of text and question and over the repairs of contradictions (our definition,
docs/worlds.md).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import median
from typing import Any, TypeAlias

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.query import NONFACTUAL, Ask, Operator
from refusalbench_tasks.worlds.statement import (
    Alias,
    Denial,
    Either,
    Every,
    Extent,
    Fact,
    Kind,
    Never,
    Order,
    Part,
    Ranking,
    Rule,
    Statement,
    Unrecorded,
    Verdict,
)
from refusalbench_tasks.worlds.values import Value

OVER_PARTS = ("total", "mean", "median")
MOST_READINGS = 64
_NOTHING = Value("count", 0)
_FIXED = ("probability", "forecast", "opinion", "counterfactual")
"""Operators whose answer a text can settle by stating it: a rating, a signed schedule, an award."""
_Reading: TypeAlias = tuple[list[Statement], Ask]


class Impure(ValueError):
    """Two defects stand in one item, so that no code is the right one."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The right behaviour, and the answer if it is to answer."""

    label: Label
    answer: Value | None = None


@dataclass(frozen=True, slots=True)
class Ontology:
    """What everyone knows about the kinds of things of a domain, whatever a text says.

    `subjects`: the kinds that a relation can be asked of; `many`: relations with several values at once; `before`:
    pairs of relations of which the first is never later than the second.
    """

    subjects: dict[str, str]
    many: frozenset[str] = frozenset()
    before: frozenset[tuple[str, str]] = frozenset()


def solve(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Solved:
    """Return the right behaviour for a question beside a text's statements, and the answer.

    In this order: a presupposition that the text denies; an operator that is no matter of fact, without a criterion; no
    derivation; one answer in every reading and repair; answers that differ between repairs of a contradiction, or
    between readings. Readings of the question whose presupposition the text denies count only if all are such. Raises
    Impure if the text has two of these defects at once.
    """
    readings = [one for one in _readings(statements, ask, ontology) if not _denied(*one, ontology)]
    if not readings:
        return Solved(Label.FALSE_PREMISE)
    if ask.operator in NONFACTUAL or ask.operator == "evaluate":
        return _evaluated(statements, ask, ontology)
    if ask.operator == "change":
        return _change(statements, ask, ontology)
    if ask.operator == "at_least" and str(ask.relation).startswith("total "):
        return _total_at_least(statements, ask, ontology)
    outcomes = [_repairs(reading, question, ontology) for reading, question in _spoken_of(readings, ask)]
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
        table = _cells(statements, total, ontology)
        parts = {one.part for one in statements if isinstance(one, Part) and one.whole in ask.subjects}
        known = sum(min(value.number for value in table.get((part, str(total.relation)), [_NOTHING])) for part in parts)
        return Solved(Label.ANSWER, Value("flag", True)) if known >= ask.limit.number else found
    return Solved(Label.ANSWER, Value("flag", found.answer.number >= ask.limit.number))


def _spoken_of(readings: list[_Reading], ask: Ask) -> list[_Reading]:
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


def _evaluated(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Solved:
    if len(ask.subjects) == 2:
        return _ranked(statements, ask, ontology)
    subject = ask.subjects[0]
    if ask.operator in _FIXED:
        fixed = {
            one.value
            for one in statements
            if isinstance(one, Fact) and (one.subject, one.relation, one.at) == (subject, ask.relation, ask.at)
        }
        known = sorted((one for one in fixed if isinstance(one, Value)), key=str)
        if len(known) > 1:
            return Solved(Label.CONTRADICTORY)
        return Solved(Label.ANSWER, known[0]) if known else Solved(Label.NONFACTUAL)
    settled = {
        one.holds for one in statements if isinstance(one, Verdict) and (one.subject, one.term) == (subject, ask.term)
    }
    if len(settled) == 1:
        return Solved(Label.ANSWER, Value("flag", settled.pop()))
    if settled:
        return Solved(Label.CONTRADICTORY)
    scopes = {subject} | {one.whole for one in statements if isinstance(one, Part) and one.part == subject}
    rules = [one for one in statements if isinstance(one, Rule) and one.term == ask.term and one.scope in scopes]
    if not rules:
        return Solved(Label.NONFACTUAL)
    if len(rules) > 1:
        raise Impure(f"two rules for {ask.term}")
    rule = rules[0]
    found = solve(statements, Ask("value", rule.relation, ask.subjects), ontology)
    if found.answer is None:
        return found
    above = found.answer.number > rule.limit.number
    return Solved(Label.ANSWER, Value("flag", above == rule.above))


def _ranked(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Solved:
    """Return which of two things the text's own order puts first."""
    wholes = [{one.whole for one in statements if isinstance(one, Part) and one.part == name} for name in ask.subjects]
    shared = wholes[0] & wholes[1]
    orders = [one for one in statements if isinstance(one, Ranking) and one.term == ask.term and one.scope in shared]
    if not orders:
        return Solved(Label.NONFACTUAL)
    if len(orders) > 1:
        raise Impure(f"two orders for {ask.term}")
    operator: Operator = "highest" if orders[0].higher else "lowest"
    return solve(statements, Ask(operator, orders[0].relation, ask.subjects), ontology)


def _readings(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Iterator[_Reading]:
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
        [replace(one, subject=subject, value=value) for subject in _each(one.subject) for value in _each(one.value)]
        for one in open_ones
    ]
    asked = [_each(ask.relation), *(_each(name) for name in ask.subjects)]
    told = [
        one.readings
        for one in statements
        if isinstance(one, Either) and any(fact.relation in relations for way in one.readings for fact in way)
    ]
    chosen = [one for one in statements if one not in open_ones and not isinstance(one, Either)]
    for number, (relation, *rest) in enumerate(product(*asked, *ways, *told)):
        if number >= MOST_READINGS:
            raise Impure("too many readings")
        named, said, facts = (
            rest[: len(ask.subjects)],
            rest[len(ask.subjects) : len(rest) - len(told)],
            [fact for way in rest[len(rest) - len(told) :] for fact in way],
        )
        yield [*chosen, *said, *facts], replace(ask, relation=relation, subjects=tuple(named))


def _each(thing: Any) -> tuple[Any, ...]:
    return thing if isinstance(thing, tuple) else (thing,)


def _repairs(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> list[Value | None]:
    """Return the answer under each way to settle the contradictions that the question touches; None if it has none."""
    table = _cells(statements, ask, ontology)
    excluded = {((one.subject, one.relation), one.value) for one in statements if isinstance(one, Never)}
    if ask.operator == "share":
        return _shares(statements, ask, table)
    ask, subjects = _whole(statements, ask, table) if ask.operator in OVER_PARTS else (ask, _named(ask, table))
    if not subjects:
        return [None]
    needed = sorted({(name, relation) for name in subjects for relation in _with_order(str(ask.relation), ontology)})
    ways: list[list[tuple[tuple[str, str], Value | None]]] = [
        [(cell, value) for value in table.get(cell, [])] or [(cell, None)] for cell in needed
    ]
    answers: list[Value | None] = []
    for way in product(*ways):
        chosen = {cell: value for cell, value in way if value is not None}
        broken = [
            (first, second)
            for first, second in ontology.before
            for name in subjects
            if _later(chosen.get((name, first)), chosen.get((name, second)))
        ]
        if broken or excluded & {*chosen.items()}:
            # one of the two is wrong, and nothing says which
            answers += [_answer(chosen, ask, subjects), Value("kind", "clash")]
        else:
            answers.append(_answer(chosen, ask, subjects))
    ordered = _ordered(statements, ask, subjects)
    # a date that is not given is not needed if the order is
    return [*(one for one in answers if one is not None or not ordered), *ordered]


def _ordered(statements: Sequence[Statement], ask: Ask, subjects: Sequence[str]) -> list[Value | None]:
    """Return the answers to a comparison that stated orders give: each subject that beats all others."""
    if ask.operator not in ("compare", "highest", "lowest"):
        return []
    orders = [one for one in statements if isinstance(one, Order) and one.relation == ask.relation]
    down = ask.operator == "lowest"
    beaten = {(one.second, one.first) if down else (one.first, one.second) for one in orders}
    best = [name for name in subjects if all((name, other) in beaten for other in subjects if other != name)]
    return [Value("entity", name) for name in best]


_Table: TypeAlias = dict[tuple[str, str], list[Value]]
"""The values that each (subject, relation) may have."""


def _cells(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> _Table:
    """Return the values that each (subject, relation) may have: those of the highest rank, rough ones only alone."""
    same = {one.name: one.of for one in statements if isinstance(one, Alias)}
    said: dict[tuple[str, str], list[Fact]] = {}
    for one in [*statements, *_entailed(statements)]:
        if (isinstance(one, Fact) and one.at in ("", ask.at)) or (isinstance(one, Fact) and not ask.at):
            value = one.value
            if isinstance(value, Value) and value.content in same:
                one = replace(one, value=replace(value, content=same[str(value.content)]))
            subject = same.get(str(one.subject), str(one.subject))
            said.setdefault((subject, one.relation), []).append(one)
    table: _Table = {}
    for cell, facts in said.items():
        top = max(fact.rank for fact in facts)
        best = [fact for fact in facts if fact.rank == top]
        best = [fact for fact in best if not fact.about] or best
        values = list(dict.fromkeys(fact.value for fact in best if isinstance(fact.value, Value)))
        if cell[1] in ontology.many and len(values) > 1:
            names = sorted({name for value in values for name in _each(value.content)})
            values = [Value("names", tuple(names))]
        table[cell] = values
    return table


def _entailed(statements: Sequence[Statement]) -> list[Fact]:
    parts = [one for one in statements if isinstance(one, Part)]
    return [
        Fact(part.part, rule.relation, rule.value)
        for rule in statements
        if isinstance(rule, Every)
        for part in parts
        if part.whole == rule.whole
    ]


def _named(ask: Ask, table: _Table) -> list[str] | None:
    """Return the subjects, the first looked up if it is only described; None if nothing fits the description."""
    subjects = [str(name) for name in ask.subjects]
    if ask.via is None:
        return subjects
    relation, value = ask.via
    fitting = [name for (name, other), values in table.items() if other == relation and value in values]
    return [fitting[0], *subjects] if len(fitting) == 1 else None


def _with_order(relation: str, ontology: Ontology) -> set[str]:
    return {relation} | {one for pair in ontology.before if relation in pair for one in pair}


def _later(first: Value | None, second: Value | None) -> bool:
    return first is not None and second is not None and first.content > second.content  # type: ignore[operator]


def _whole(statements: Iterable[Statement], ask: Ask, table: _Table) -> tuple[Ask, list[str]]:
    """Return the question about a whole as one about its own stated figure, or about its parts if all are known."""
    whole, relation = str(ask.subjects[0]), str(ask.relation)
    own = f"{ask.operator} {relation}"
    if (whole, own) in table:
        return replace(ask, operator="value", relation=own), [whole]
    parts = list(dict.fromkeys(one.part for one in statements if isinstance(one, Part) and one.whole == whole))
    extents = {one.count for one in statements if isinstance(one, Extent) and one.whole == whole}
    complete = extents == {len(parts)} and all((part, relation) in table for part in parts)
    return ask, parts if complete else []


def _shares(statements: Sequence[Statement], ask: Ask, table: _Table) -> list[Value | None]:
    """Return the share of a part in its whole in per cent, for each pair of values that they may have."""
    part, whole = (str(name) for name in ask.subjects)
    total, subjects = _whole(statements, Ask("total", ask.relation, (whole,)), table)
    asked = str(total.relation)
    ways = product(*(table[name, asked] for name in subjects))
    cells = [{(name, asked): value for name, value in zip(subjects, way, strict=True)} for way in ways]
    amounts = [_answer(chosen, total, subjects) for chosen in cells]
    return [
        Value("measure", _round(100 * value.number / amount.number), "per cent")
        for value in table.get((part, str(ask.relation)), [])
        for amount in amounts
        if amount is not None
    ] or [None]


def _absence(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> Label:
    """Return why nothing can be derived: the text speaks of another level than is asked, or not of it at all.

    If the text says that a value is not on record, that is what is missing.
    Another level are the asked relation of a part, its total, mean, median, joint list or own value for a whole, or its
    value for a shorter or a longer period.
    """
    relation = str(ask.relation)
    subjects = _named(ask, _cells(statements, ask, ontology)) or [str(name) for name in ask.subjects]
    if any(isinstance(one, Unrecorded) and one.relation == relation for one in statements):
        return Label.MISSING
    levels = {relation, f"all {relation}", *(f"{aggregate} {relation}" for aggregate in OVER_PARTS)}
    facts = [one for one in statements if isinstance(one, Fact) and one.relation in levels]
    parts = {one.part for one in statements if isinstance(one, Part) and one.whole in subjects}
    wholes = {one.whole for one in statements if isinstance(one, Part) and one.part in subjects}
    other_level = any(fact.subject in parts | wholes for fact in facts)
    other_scale = any(fact.subject in subjects and _overlap(fact.at, ask.at) for fact in facts)
    return Label.GRANULARITY if other_level or other_scale else Label.MISSING


def _overlap(one: str, other: str) -> bool:
    """Return whether two different periods share a year; False if one is not stated."""
    if not one or not other or one == other:
        return False
    (start, end), (first, last) = ((at.split("/")[0][:4], at.split("/")[-1][:4]) for at in (one, other))
    return start <= last and first <= end


def _answer(chosen: dict[tuple[str, str], Value], ask: Ask, subjects: Sequence[str]) -> Value | None:
    relation = str(ask.relation)
    values = [chosen.get((name, relation)) for name in subjects]
    known = [value for value in values if value is not None]
    if len(known) < len(values) or not known:
        return None
    first = known[0]
    match ask.operator:
        case "value":
            return first
        case "count":
            return Value("count", len(_each(first.content)))
        case "at_least":
            assert ask.limit is not None
            return Value("flag", first.content >= ask.limit.content)  # type: ignore[operator]
        case "difference":
            unit = "years" if first.type == "year" else first.unit
            kind = "measure" if unit and first.type != "money" else first.type
            return Value(kind, abs(round(first.number - known[1].number, 6)), unit)
        case "sum" | "total":
            return replace(first, content=round(sum(value.number for value in known), 6))
        case "mean":
            return replace(first, content=_round(sum(value.number for value in known) / len(known)))
        case "median":
            return replace(first, content=_round(median(value.number for value in known)))
        case _:
            return _extreme(known, subjects, highest=ask.operator != "lowest")


def _round(number: float) -> float:
    """Return a number to six places, and a whole one as an integer, so that it is written without a point."""
    return int(number) if number == int(number) else round(number, 6)


def _extreme(values: Sequence[Value], subjects: Sequence[str], highest: bool) -> Value | None:
    contents = [value.content for value in values]
    best = max(contents) if highest else min(contents)
    named = [name for name, content in zip(subjects, contents, strict=True) if content == best]
    return Value("entity", named[0]) if len(named) == 1 else None
