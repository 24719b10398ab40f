"""The answers under each way to settle the contradictions that a question touches."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from statistics import median

from refusalbench_tasks.worlds.cells import OVER_PARTS, Table, cells, named
from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.readings import each
from refusalbench_tasks.worlds.statement import Extent, Never, Order, Part, Statement
from refusalbench_tasks.worlds.values import Value


def repairs(statements: Sequence[Statement], ask: Ask, ontology: Ontology) -> list[Value | None]:
    """Return the answer under each way to settle the contradictions that the question touches; None if it has none."""
    table = cells(statements, ask, ontology)
    excluded = {((one.subject, one.relation), one.value) for one in statements if isinstance(one, Never)}
    if ask.operator == "share":
        return _shares(statements, ask, table)
    ask, subjects = _whole(statements, ask, table) if ask.operator in OVER_PARTS else (ask, named(ask, table))
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


def _with_order(relation: str, ontology: Ontology) -> set[str]:
    return {relation} | {one for pair in ontology.before if relation in pair for one in pair}


def _later(first: Value | None, second: Value | None) -> bool:
    return first is not None and second is not None and first.content > second.content  # type: ignore[operator]


def _whole(statements: Iterable[Statement], ask: Ask, table: Table) -> tuple[Ask, list[str]]:
    """Return the question about a whole as one about its own stated figure, or about its parts if all are known."""
    whole, relation = str(ask.subjects[0]), str(ask.relation)
    own = f"{ask.operator} {relation}"
    if (whole, own) in table:
        return replace(ask, operator="value", relation=own), [whole]
    parts = list(dict.fromkeys(one.part for one in statements if isinstance(one, Part) and one.whole == whole))
    extents = {one.count for one in statements if isinstance(one, Extent) and one.whole == whole}
    complete = extents == {len(parts)} and all((part, relation) in table for part in parts)
    return ask, parts if complete else []


def _shares(statements: Sequence[Statement], ask: Ask, table: Table) -> list[Value | None]:
    """Return the share of a part in its whole in per cent, for each pair of values that they may have."""
    part, whole = (str(name) for name in ask.subjects)
    total, subjects = _whole(statements, Ask("total", ask.relation, (whole,)), table)
    asked = str(total.relation)
    ways = product(*(table[name, asked] for name in subjects))
    cells = [{(name, asked): value for name, value in zip(subjects, way, strict=True)} for way in ways]
    amounts = [_answer(chosen, total, subjects) for chosen in cells]
    return [
        Value("measure", _rounded(100 * value.number / amount.number), "per cent")
        for value in table.get((part, str(ask.relation)), [])
        for amount in amounts
        if amount is not None
    ] or [None]


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
            return Value("count", len(each(first.content)))
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
            return replace(first, content=_rounded(sum(value.number for value in known) / len(known)))
        case "median":
            return replace(first, content=_rounded(median(value.number for value in known)))
        case _:
            return _extreme(known, subjects, highest=ask.operator != "lowest")


def _rounded(number: float) -> float:
    """Return a number to six places, and a whole one as an integer, so that it is written without a point."""
    return int(number) if number == int(number) else round(number, 6)


def _extreme(values: Sequence[Value], subjects: Sequence[str], highest: bool) -> Value | None:
    contents = [value.content for value in values]
    best = max(contents) if highest else min(contents)
    named = [name for name, content in zip(subjects, contents, strict=True) if content == best]
    return Value("entity", named[0]) if len(named) == 1 else None
