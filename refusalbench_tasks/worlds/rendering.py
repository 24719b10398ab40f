"""How a document puts one relation of one thing: soundly, or with the defect of its
quad.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from refusalbench_tasks.worlds.defects import Defect, DefectName
from refusalbench_tasks.worlds.document import Document, Relation, relations, templates
from refusalbench_tasks.worlds.statement import Classing, Denial, Fact, Statement
from refusalbench_tasks.worlds.values import Value, month_of, written
from refusalbench_tasks.worlds.world import World

HOUR = 60
DAY = 1440
_VOWELS = tuple("aeio")
_DENIED = {"Fabricated Historic Event": "never", "Phantom Product Line": "none"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One relation of a thing as a document puts it: in words, as the cell of a table,
    and what it states.
    """

    text: str
    cell: str
    statements: tuple[Statement, ...]
    second: str = ""
    """The cell in a second list; empty where it says nothing of the relation."""


@dataclass(frozen=True, slots=True)
class Item:
    """A relation of a named thing that is to be put into words; `twin` is the place
    among two things of one name.
    """

    name: str
    thing: str
    relation: Relation
    sound: bool
    twin: int = 0


@dataclass(frozen=True)
class Teller:
    """Puts relations into words for one passage, whose entries are worded alike."""

    world: World
    defect: Defect
    shown: frozenset[str]
    """Relations of which the passage may speak by themselves; sums are made with
    others.
    """
    year: int
    """The year that a question about the future asks for."""
    pick: Mapping[str, int]
    """Which of its templates the passage uses, by kind."""

    def tell(self, item: Item, rng: Random) -> Phrase:
        """Return a relation in words."""
        value = self.world.value(item.name, self.defect.group, item.relation)
        return _OPERATORS[self.defect.name](self, item, value, rng)

    @property
    def document(self) -> Document:
        """Return the kind of document."""
        return self.world.document

    def choice(self, kind: str, options: Sequence[str]) -> str:
        """Return the one of some templates that this passage uses."""
        return options[self.pick[kind] % len(options)]

    def said(self, item: Item, value: Value) -> str:
        """Return the plain sentence that a relation has a value."""
        return fill(
            self.choice("say", self.document.say),
            r=item.relation.noun,
            v=written(value),
        )


def fill(template: str, **slots: str) -> str:
    """Return a template with its slots filled in, `a` made `an`; a slot's content is
    not read for slots again.
    """
    parts = template.split("{")
    out = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}")
        if f" {out[-1].lower()}".endswith(" a ") and slots[name].startswith(_VOWELS):
            out[-1] = f"{out[-1][:-1]}n "
        out += [slots[name], rest]
    return "".join(out)


def _plain(teller: Teller, item: Item, value: Value) -> Phrase:
    fact = Fact(item.thing, item.relation.noun, value)
    return Phrase(teller.said(item, value), written(value), (fact,), written(value))


def _opinion(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    return _plain(teller, item, value)


def _excised(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    if item.sound:
        return _plain(teller, item, value)
    text = fill(teller.choice("missing", teller.document.missing), r=item.relation.noun)
    return Phrase(text, teller.choice("cell", templates().cells["missing"]), ())


def _recorded(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    if item.sound:
        return _plain(teller, item, value)
    return Phrase(
        fill(teller.choice("recorded", teller.document.recorded), r=item.relation.noun),
        "–",
        (),
    )


def _clash(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    other = value if item.sound else teller.world.another(rng, item.name, item.relation)
    return _twice(teller, item, value, other)


def _twice(teller: Teller, item: Item, value: Value, other: Value) -> Phrase:
    noun = item.relation.noun
    smaller = teller.defect.name == "clash" and value.type == "measure"
    shown = other.in_smaller_unit() if smaller else other
    facts = (Fact(item.thing, noun, value), Fact(item.thing, noun, other))
    return Phrase(teller.said(item, value), written(value), facts, written(shown))


def _bundle(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    if item.sound:
        return _plain(teller, item, value)
    template = teller.choice("together", teller.document.together)
    noun = item.relation.noun
    if "{t}" in template:
        return _sum(teller, item, value, template, rng)
    if "{m}" in template:
        text = fill(template, r=noun, m=month_of(value))
        level = "month"
    else:
        low, high = _around(value)
        text = fill(template, r=noun, v0=written(low), v1=written(high))
        level = "range"
    return Phrase(text, "", (Fact(item.thing, noun, value, level=level),))


def _around(value: Value) -> tuple[Value, Value]:
    """Return two values between which a value lies: the full hours of a time, else a
    tenth below and above.
    """
    if value.type == "time":
        hour = int(value.number) // HOUR * HOUR
        return Value("time", hour), Value("time", (hour + HOUR) % DAY)
    digits = 0 if value.number >= 20 and value.number == int(value.number) else 1
    low, high = (round(value.number * factor, digits) for factor in (0.9, 1.15))
    step = 10.0**-digits
    return Value(
        value.type, min(low, round(value.number - step, digits)), value.unit
    ), Value(value.type, high, value.unit)


def _sum(
    teller: Teller, item: Item, value: Value, template: str, rng: Random
) -> Phrase:
    relation = item.relation
    alike = [
        candidate
        for candidate in relations(teller.document.name, "values")
        if candidate.noun not in teller.shown
        and (candidate.type, candidate.unit) == (relation.type, relation.unit)
    ]
    other = rng.choice(alike)
    added = teller.world.value(item.name, "values", other).number
    total = Value(value.type, round(value.number + added, 4), value.unit)
    text = fill(template, r=relation.noun, t=other.noun, v=written(total))
    level = f"with {other.noun}"
    return Phrase(text, "", (Fact(item.thing, relation.noun, total, level=level),))


def _spot(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    figures = teller.document.figures
    noun = item.relation.noun
    assert figures is not None
    kind, options, level = (
        ("whole", figures.whole, "")
        if item.sound
        else ("spot", figures.spot, "one day")
    )
    text = fill(teller.choice(kind, options), r=noun, v=written(value))
    return Phrase(text, "", (Fact(item.thing, noun, value, level=level),))


def _denied(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    uses = teller.document.uses
    noun = item.relation.noun
    if item.sound:
        text = fill(teller.choice("yes", uses.yes), r=noun, v=written(value))
        return Phrase(text, written(value), (Fact(item.thing, noun, value),))
    cell = _DENIED.get(uses.lever, "not allowed")
    return Phrase(
        fill(teller.choice("no", uses.no), r=noun), cell, (Denial(item.thing, noun),)
    )


def _impossible(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    noun = item.relation.noun
    if item.sound:
        return Phrase(
            fill(item.relation.has, v=written(value)),
            "",
            (Fact(item.thing, noun, value),),
        )
    return Phrase(item.relation.none, "", (Denial(item.thing, noun),))


def _split(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    if item.sound:
        return _plain(teller, item, value)
    senses = teller.document.senses
    first, second = senses[teller.pick["senses"] % len(senses)]
    other = teller.world.another(rng, item.name, item.relation)
    noun = item.relation.noun
    if first.startswith("for the larger") and value.number < other.number:
        value, other = other, value
    plain = teller.said(item, value)
    text = fill(
        templates().phrases["split"][0], p=plain, s=first, w=written(other), u=second
    )
    cell = f"{written(value)} {first}, {written(other)} {second}"
    return Phrase(
        text,
        cell,
        (Fact(item.thing, noun, value, first), Fact(item.thing, noun, other, second)),
    )


def _twins(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    if item.sound or not item.twin:
        return _plain(teller, item, value)
    return _plain(teller, item, teller.world.another(rng, item.name, item.relation))


def _ungraded(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    plain = _plain(teller, item, value)
    if not item.sound:
        return plain
    grades = teller.document.grades
    noun = item.relation.noun
    pair = grades[teller.pick["grades"] % len(grades)]
    word = teller.world.rng(item.name, "class of", noun).choice(pair)
    text = fill(
        teller.choice("graded", templates().phrases["graded"]), p=plain.text, g=word
    )
    return Phrase(
        text, plain.cell, (*plain.statements, Classing(item.thing, noun, word))
    )


def _future(teller: Teller, item: Item, value: Value, rng: Random) -> Phrase:
    noun = item.relation.noun
    phrases = templates().phrases
    until = teller.year + rng.randint(0, 3)
    plain = teller.said(item, value)
    if item.sound:
        kind = "far" if teller.defect.name == "far" else "until"
        text = fill(teller.choice(kind, phrases[kind]), p=plain, Y=str(until))
        return Phrase(text, "", (Fact(item.thing, noun, value, until=until),))
    return Phrase(
        fill(teller.choice("now", phrases["now"]), p=plain),
        "",
        (Fact(item.thing, noun, value),),
    )


_OPERATORS: Mapping[DefectName, Callable[[Teller, Item, Value, Random], Phrase]] = {
    "excised": _excised,
    "recorded": _recorded,
    "clash": _clash,
    "rival": _clash,
    "bundle": _bundle,
    "spot": _spot,
    "denied": _denied,
    "impossible": _impossible,
    "split": _split,
    "twins": _twins,
    "ungraded": _ungraded,
    "forecast": _future,
    "far": _future,
    "opinion": _opinion,
}
KINDS = (
    "say",
    "cell",
    "recorded",
    "together",
    "whole",
    "spot",
    "yes",
    "no",
    "graded",
    "until",
    "far",
    "now",
    "missing",
)
"""Templates of which a passage uses one throughout; senses and grades are those of the
quad.
"""
