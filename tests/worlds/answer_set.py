"""A second solver of worlds: the semantics as an answer-set program, `answer_set.lp`. It shares no code with the first.

Readings and repairs are choices of the program; what holds in some answer set makes the label. Python only writes
statements as facts and does sums (total, mean, median, difference, share), on exact fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import clingo
from clingo import Function, Number, String, Symbol

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds import statement as said
from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.values import Value

PROGRAM = Path(__file__).with_suffix(".lp").read_text(encoding="utf-8")
Item: TypeAlias = tuple[Sequence[said.Statement], Ask, Ontology]
"""What a text states, what is asked, and what everyone knows of the domain."""
Outcome: TypeAlias = tuple[Label | None, Value | None]
"""The label, None if the item has two defects at once, and the answer if it is to answer."""
_LEVELS = ("total", "mean", "median", "all")


def outcomes(items: Sequence[Item]) -> list[Outcome]:
    """Return the label and answer of each item, all derived in one program."""
    domains: list[Ontology] = []
    facts: list[Symbol] = []
    for number, (statements, ask, ontology) in enumerate(items):
        if ontology not in domains:
            facts += _domain(len(domains), ontology)
            domains.append(ontology)
        facts += _item(number, statements, ask, domains.index(ontology))
    values = {symbol for atom in facts for symbol in _values(atom)}
    facts += [*_ranks(values), *_members(values), *_periods(items)]
    seen = _brave(facts)
    labels = _solved("verdict", seen)
    found: dict[int, Outcome] = {}
    for one in labels:
        number, label = one.arguments[0].number, one.arguments[1].name
        if number in found:
            raise AssertionError(f"item {number} has two labels")
        answer = _value(one.arguments[2]) if len(one.arguments) > 2 else None
        found[number] = (None if label == "impure" else Label[label.upper()], answer)
    return [found[number] for number in range(len(items))]


def written(value: Value | None) -> Value | None:
    """Return a value in the form in which the two solvers are compared: numbers to six places, whole ones as such."""
    return None if value is None else _value(_term(value))


def _control(part: str, facts: Sequence[Symbol], *options: str) -> clingo.Control:
    control = clingo.Control(["--warn=none", *options])
    control.add(PROGRAM)
    control.add("facts", [], " ".join(f"{one}." for one in facts))
    control.ground([("facts", []), (part, [])], context=_Sums())
    return control


def _brave(facts: Sequence[Symbol]) -> list[Symbol]:
    """Return what holds in some answer set."""
    control = _control(
        "worlds", facts, "--enum-mode=brave", "0", "--heuristic=Berkmin", "--rand-freq=0.5", "--sign-def=rnd"
    )
    last: Sequence[Symbol] = ()
    with control.solve(yield_=True) as models:
        for model in models:
            last = model.symbols(shown=True)
    return list(last)


def _solved(part: str, facts: Sequence[Symbol]) -> list[Symbol]:
    control = _control(part, facts)
    with control.solve(yield_=True) as models:
        return [one for model in models for one in model.symbols(shown=True) if one.name == "label"]


# ---- sums


class _Sums:
    """The functions that the program calls."""

    def counted(self, value: Symbol) -> Symbol:
        content = value.arguments[1]
        names = len(list(_listed(content))) if content.type is clingo.SymbolType.Function else 1
        return _term(Value("count", names))

    def apart(self, one: Symbol, other: Symbol, converts: Symbol) -> Symbol:
        kind, unit = one.arguments[0].name, one.arguments[2].string
        if converts.number:
            unit = "years" if kind == "year" else unit
            kind = "measure" if unit and kind != "money" else kind
        return _made(kind, abs(_number(one) - _number(other)), unit)

    def total(self, values: Symbol) -> Symbol:
        return self.gathered(Function("total"), values)

    def gathered(self, how: Symbol, values: Symbol) -> Symbol:
        several = list(_listed(values))
        numbers = [_number(one) for one in several]
        amount = median(numbers) if how.name == "median" else sum(numbers, Fraction(0))
        amount = amount / len(numbers) if how.name == "mean" else amount
        return _made(several[0].arguments[0].name, amount, several[0].arguments[2].string)

    def share(self, part: Symbol, whole: Symbol) -> Symbol:
        return _made("measure", 100 * _number(part) / _number(whole), "per cent")

    def reaches(self, value: Symbol, limit: Symbol) -> Symbol:
        return _term(Value("flag", _number(value) >= _number(limit)))

    def enough(self, values: Symbol, limit: Symbol) -> Symbol:
        return Number(int(sum(_number(one) for one in _listed(values)) >= _number(limit)))


# ---- statements and questions as facts


def _item(number: int, statements: Sequence[said.Statement], ask: Ask, domain: int) -> Iterator[Symbol]:
    def atom(name: str, *arguments: Any) -> Symbol:
        return Function(name, [Number(number), *(_term(one) for one in arguments)])

    yield atom("item")
    yield atom("knows", domain)
    for place, one in enumerate(statements):
        yield from (atom(name, *rest) for name, *rest in _statement(place, one))
    yield from (atom(name, *rest) for name, *rest in _question(ask))


def _domain(number: int, ontology: Ontology) -> Iterator[Symbol]:
    pairs = [("due", *one) for one in sorted(ontology.subjects.items())]
    pairs += [("never_later", *one) for one in sorted(ontology.before)]
    for name, *rest in [*pairs, *(("list_valued", one) for one in sorted(ontology.many))]:
        yield Function(name, [Number(number), *(String(one) for one in rest)])


def _question(ask: Ask) -> Iterator[tuple[Any, ...]]:
    relations = [ask.relation] if isinstance(ask.relation, str) else [*ask.relation]
    reach = ask.operator == "at_least" and all(one.startswith("total ") for one in relations)
    yield "operator", Function("reach" if reach else ask.operator)
    for one in relations:
        yield "asked_relation", one.removeprefix("total ") if reach else one
    for place, names in enumerate(ask.subjects, start=1):
        yield "slot", place
        for name in [names] if isinstance(names, str) else names:
            yield "asked_subject", place, name
    yield "asked_at", ask.at
    yield "asked_term", ask.term
    if ask.operator == "change":
        first, last = ask.at.split("/")
        yield from (("edge", Function("first"), first), ("edge", Function("last"), last))
    if ask.limit is not None:
        yield "limit", ask.limit
    if ask.via is not None:
        yield ("via", *ask.via)
    for pair in ask.presumes:
        yield ("presumes", *pair)


def _statement(place: int, one: said.Statement) -> Iterator[tuple[Any, ...]]:
    match one:
        case said.Fact():
            yield "top", place
            yield from _fact(Number(place), one)
        case said.Either(readings):
            for way, facts in enumerate(readings):
                for number, fact in enumerate(facts):
                    name = Function("", [Number(place), Number(way), Number(number)])
                    yield "way", place, way, name
                    yield from _fact(name, fact)
        case said.Rule():
            side = Function("above" if one.above else "below")
            yield "rule", place, one.scope, one.term, one.relation, side, one.limit
        case said.Ranking():
            yield "ranking", place, one.scope, one.term, one.relation, Function("higher" if one.higher else "lower")
        case said.Verdict():
            yield "verdict", one.subject, one.term, int(one.holds)
        case _:
            # names and order of the fields are those of the program
            yield type(one).__name__.lower(), *(getattr(one, field) for field in type(one).__dataclass_fields__)


def _fact(name: Symbol, one: said.Fact) -> Iterator[tuple[Any, ...]]:
    subjects = one.subject if isinstance(one.subject, tuple) else (one.subject,)
    values = one.value if isinstance(one.value, tuple) else (one.value,)
    if isinstance(one.subject, tuple) or isinstance(one.value, tuple):
        yield "open", name
    how = Function("rough" if one.about else "exact")
    for subject in subjects:
        for value in values:
            yield "fact", name, subject, value, one.relation, one.at, one.rank, how


# ---- terms


def _term(one: Any) -> Symbol:
    match one:
        case Symbol():
            return one
        case Value("flag"):
            return Function("v", [Function("flag"), Number(int(bool(one.content))), String("")])
        case Value() if isinstance(one.content, int | float):
            return _made(one.type, Fraction(str(one.content)), one.unit)
        case Value():
            return Function("v", [Function(one.type), _term(one.content), String(one.unit)])
        case tuple():
            chain = Function("", [])
            for name in sorted(one):
                chain = Function("", [String(name), chain])
            return chain
        case int():
            return Number(one)
    return String(one)


def _made(kind: str, number: Fraction, unit: str) -> Symbol:
    """Return a number as a value; as text, for the program's own numbers have 32 bits and no fractions."""
    return Function("v", [Function(kind), String(str(round(number, 6))), String(unit)])


def _number(value: Symbol) -> Fraction:
    return Fraction(value.arguments[1].string)


def _listed(chain: Symbol) -> Iterator[Symbol]:
    while chain.arguments:
        head, chain = chain.arguments
        yield head


def _value(term: Symbol) -> Value:
    if term.name != "v":
        raise AssertionError(f"{term} is no value")
    kind, content, unit = term.arguments
    if content.type is clingo.SymbolType.Number:
        return Value(kind.name, bool(content.number), unit.string)  # type: ignore[arg-type]
    if content.type is clingo.SymbolType.Function:
        return Value(kind.name, tuple(sorted(one.string for one in _listed(content))), unit.string)  # type: ignore[arg-type]
    if kind.name in ("year", "count", "money", "measure"):
        number = Fraction(content.string)
        return Value(kind.name, int(number) if number.denominator == 1 else float(number), unit.string)  # type: ignore[arg-type]
    return Value(kind.name, content.string, unit.string)  # type: ignore[arg-type]


def _values(atom: Symbol) -> Iterator[Symbol]:
    return (one for one in atom.arguments if one.type is clingo.SymbolType.Function and one.name == "v")


def _ranks(values: set[Symbol]) -> Iterator[Symbol]:
    """Yield the place of each value among those that can be compared: numbers by size, dates and times as text."""
    keys = {one: _key(one) for one in values}
    places = {key: place for place, key in enumerate(sorted({*keys.values()}))}
    yield from (Function("rank", [one, Number(places[key])]) for one, key in keys.items())


def _key(value: Symbol) -> tuple[int, Fraction, str]:
    kind, content, _ = value.arguments
    if kind.name in ("year", "count", "money", "measure"):
        return 0, Fraction(content.string), ""
    return 1, Fraction(0), content.string if content.type is clingo.SymbolType.String else str(content)


def _members(values: set[Symbol]) -> Iterator[Symbol]:
    for one in values:
        content = one.arguments[1]
        if content.type is clingo.SymbolType.Function:
            yield from (Function("member", [one, name]) for name in _listed(content))
        elif content.type is clingo.SymbolType.String:
            yield Function("member", [one, content])


def _periods(items: Sequence[Item]) -> Iterator[Symbol]:
    """Yield which relations are levels of others, by their names, and which periods of time share a year."""
    facts = [one for statements, _, _ in items for one in _all_facts(statements)]
    relations = {one.relation for one in facts}
    for ask in (ask for _, ask, _ in items):
        relations |= {ask.relation} if isinstance(ask.relation, str) else {*ask.relation}
    for name in sorted(relations):
        level, _, rest = name.partition(" ")
        if level in _LEVELS and rest:
            yield Function("aggregate", [String(name), Function(level), String(rest)])
    told = sorted({one.at for one in facts if one.at})
    for asked in sorted({ask.at for _, ask, _ in items if ask.at}):
        yield from (Function("common", [String(one), String(asked)]) for one in told if _share_a_year(one, asked))


def _all_facts(statements: Sequence[said.Statement]) -> Iterator[said.Fact]:
    for one in statements:
        if isinstance(one, said.Fact):
            yield one
        elif isinstance(one, said.Either):
            yield from (fact for way in one.readings for fact in way)


def _share_a_year(one: str, other: str) -> bool:
    """Return whether two periods share a year; one that is named by no year shares none."""
    years, others = ([day[:4] for day in at.split("/")] for at in (one, other))
    if not all(year.isdecimal() for year in (*years, *others)):
        return False
    return max(years[0], others[0]) <= min(years[-1], others[-1])
