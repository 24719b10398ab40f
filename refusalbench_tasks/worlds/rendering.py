"""How a document puts one relation of one thing: soundly, or with the defect of its
quad.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias, TypeVar

from refusalbench_tasks.worlds.defects import Defect, DefectName
from refusalbench_tasks.worlds.document import Document, Relation, relations, templates
from refusalbench_tasks.worlds.statement import Classing, Denial, Fact, Statement
from refusalbench_tasks.worlds.values import Value, month_of
from refusalbench_tasks.worlds.world import World

Choice = TypeVar("Choice")
Operator: TypeAlias = Callable[["Item"], "Phrase"]
HOUR = 60
DAY = 1440
_VOWELS = tuple("aeio")
_DENIED = {"Fabricated Historic Event": "never", "Phantom Product Line": "none"}
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


@dataclass(frozen=True, slots=True)
class Phrase:
    """One relation of a thing as a document puts it: in words, as the cell of a table,
    and what it states.
    """

    text: str
    cell: str = ""
    statements: Sequence[Statement] = ()
    second: str = ""
    """The cell in the second list of a document that states everything twice."""


@dataclass(frozen=True)
class Style:
    """How a passage words its relations: all entries are worded alike."""

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

    def choose(
        self,
        kind: str,
        options: Sequence[Choice],
    ) -> Choice:
        """Return the one of some templates that this passage uses."""
        return options[self.pick[kind] % len(options)]

    def template(self, kind: str) -> str:
        """Return the template of a kind that documents of all kinds have."""
        return self.choose(kind, templates().phrases[kind])


@dataclass(frozen=True)
class Item:
    """A relation of a named thing with its value, to be put into words."""

    style: Style
    name: str
    thing: str
    relation: Relation
    value: Value
    twin: int
    """The position among two things of one name."""
    rng: Random

    @property
    def document(self) -> Document:
        """Return the kind of document."""
        return self.style.world.document

    @property
    def noun(self) -> str:
        """Return the noun of the relation."""
        return self.relation.noun

    def phrase(self, sound: bool) -> Phrase:
        """Return the relation in words: soundly, or with the defect."""
        if_sound, if_not = _WORDINGS[self.style.defect.name]
        wording = if_sound if sound else if_not
        return wording(self)

    def fact(
        self,
        value: Value | None = None,
        **facets: Any,
    ) -> Fact:
        """Return the statement that the relation has a value, by default its own."""
        return Fact(
            self.thing,
            self.noun,
            value or self.value,
            **facets,
        )

    def denial(self) -> Denial:
        """Return the statement that there is nothing which could have a value."""
        return Denial(self.thing, self.noun)

    def another(self) -> Value:
        """Return another value that the thing might have."""
        return self.style.world.another(
            self.rng,
            self.name,
            self.relation,
        )

    def text(
        self,
        kind: str,
        options: Sequence[str],
    ) -> str:
        """Return what the passage's template of a kind says of the relation."""
        template = self.style.choose(kind, options)
        return fill_slots(
            template,
            r=self.noun,
            v=self.value,
        )

    def sentence(
        self,
        value: Value | None = None,
    ) -> str:
        """Return the plain sentence that the relation has a value."""
        template = self.style.choose("say", self.document.say)
        return fill_slots(
            template,
            r=self.noun,
            v=value or self.value,
        )

    def plain(self) -> Phrase:
        """Return the relation with its value, and nothing else."""
        return Phrase(
            self.sentence(),
            str(self.value),
            [self.fact()],
        )

    def missing(self) -> Phrase:
        """Return a sentence and a cell that name the relation without its value."""
        text = self.text("missing", self.document.missing)
        cell = self.style.choose("cell", templates().cells["missing"])
        return Phrase(text, cell)

    def recorded(self) -> Phrase:
        """Return that the value is to be had in a recording."""
        return Phrase(self.text("recorded", self.document.recorded), "–")

    def agreeing(self) -> Phrase:
        """Return the value for both lists."""
        return self._listed_twice(self.value)

    def disagreeing(self) -> Phrase:
        """Return the value, and another one for the second list."""
        return self._listed_twice(self.another())

    def _listed_twice(self, second: Value) -> Phrase:
        shown = second
        if self.style.defect.name == "clash" and second.type == "measure":
            shown = second.in_smaller_unit()
        facts = [self.fact(), self.fact(second)]
        return Phrase(
            self.sentence(),
            str(self.value),
            facts,
            str(shown),
        )

    def bundled(self) -> Phrase:
        """Return a sum, a month or a range in place of the value."""
        value = self.value
        template = self.style.choose("together", self.document.together)
        if "{t}" in template:
            return self._summed(template)
        if "{m}" in template:
            level = "month"
            text = fill_slots(
                template,
                r=self.noun,
                m=month_of(value),
            )
        else:
            level = "range"
            low, high = _limits_around(value)
            text = fill_slots(
                template,
                r=self.noun,
                v0=low,
                v1=high,
            )
        return Phrase(text, statements=[self.fact(level=level)])

    def _summed(self, template: str) -> Phrase:
        value = self.value
        alike = []
        for relation in relations(self.document.name, "values"):
            same_type = relation.type == self.relation.type
            same_unit = relation.unit == self.relation.unit
            if same_type and same_unit and relation.noun not in self.style.shown:
                alike.append(relation)
        other = self.rng.choice(alike)
        added = self.style.world.value(
            self.name,
            "values",
            other,
        )
        number = round(value.number + added.number, 4)
        total = replace(value, number=number)
        text = fill_slots(
            template,
            r=self.noun,
            t=other.noun,
            v=total,
        )
        fact = self.fact(total, level=f"with {other.noun}")
        return Phrase(text, statements=[fact])

    def average(self) -> Phrase:
        """Return the average over the whole."""
        figures = self.document.figures
        assert figures is not None
        text = self.text("whole", figures.whole)
        return Phrase(text, statements=[self.fact()])

    def one_day(self) -> Phrase:
        """Return the count of one day."""
        figures = self.document.figures
        assert figures is not None
        text = self.text("spot", figures.spot)
        return Phrase(text, statements=[self.fact(level="one day")])

    def allowed(self) -> Phrase:
        """Return until when something is allowed, or when it happened."""
        text = self.text("yes", self.document.uses.yes)
        return Phrase(
            text,
            str(self.value),
            [self.fact()],
        )

    def denied(self) -> Phrase:
        """Return that something is not allowed, or never happened."""
        uses = self.document.uses
        text = self.text("no", uses.no)
        cell = _DENIED.get(uses.lever, "not allowed")
        return Phrase(
            text,
            cell,
            [self.denial()],
        )

    def present(self) -> Phrase:
        """Return what a part is like."""
        text = fill_slots(self.relation.has, v=self.value)
        return Phrase(text, statements=[self.fact()])

    def absent(self) -> Phrase:
        """Return that there is no such part."""
        return Phrase(self.relation.none, statements=[self.denial()])

    def split(self) -> Phrase:
        """Return two values, each under its condition."""
        first, second = self.style.choose("senses", self.document.senses)
        value = self.value
        other = self.another()
        if first.startswith("for the larger") and value.number < other.number:
            value, other = other, value
        template = templates().phrases["split"][0]
        plain = self.sentence(value)
        text = fill_slots(
            template,
            p=plain,
            s=first,
            w=other,
            u=second,
        )
        cell = f"{value} {first}, {other} {second}"
        facts = [self.fact(value, sense=first), self.fact(other, sense=second)]
        return Phrase(text, cell, facts)

    def twins(self) -> Phrase:
        """Return the value; of the second thing of the name, another one."""
        if not self.twin:
            return self.plain()
        other = self.another()
        return Phrase(
            self.sentence(other),
            str(other),
            [self.fact(other)],
        )

    def graded(self) -> Phrase:
        """Return the value, and the grade that the document gives it."""
        pair = self.style.choose("grades", self.document.grades)
        rng = self.style.world.rng(
            self.name,
            "class of",
            self.noun,
        )
        grade = rng.choice(pair)
        template = self.style.template("graded")
        text = fill_slots(
            template,
            p=self.sentence(),
            g=grade,
        )
        classing = Classing(
            self.thing,
            self.noun,
            grade,
        )
        return Phrase(
            text,
            str(self.value),
            [self.fact(), classing],
        )

    def fixed(self) -> Phrase:
        """Return the value, and until when it holds."""
        kind = "far" if self.style.defect.name == "far" else "until"
        until = self.style.year + self.rng.randint(0, 3)
        template = self.style.template(kind)
        text = fill_slots(
            template,
            p=self.sentence(),
            Y=until,
        )
        return Phrase(text, statements=[self.fact(until=until)])

    def for_now(self) -> Phrase:
        """Return the value of this year."""
        template = self.style.template("now")
        text = fill_slots(template, p=self.sentence())
        return Phrase(text, statements=[self.fact()])


_WORDINGS: Mapping[DefectName, tuple[Operator, Operator]] = {
    "excised": (Item.plain, Item.missing),
    "recorded": (Item.plain, Item.recorded),
    "clash": (Item.agreeing, Item.disagreeing),
    "rival": (Item.agreeing, Item.disagreeing),
    "bundle": (Item.plain, Item.bundled),
    "spot": (Item.average, Item.one_day),
    "denied": (Item.allowed, Item.denied),
    "impossible": (Item.present, Item.absent),
    "split": (Item.plain, Item.split),
    "twins": (Item.plain, Item.twins),
    "ungraded": (Item.graded, Item.plain),
    "forecast": (Item.fixed, Item.for_now),
    "far": (Item.fixed, Item.for_now),
    "opinion": (Item.plain, Item.plain),
}
"""How a relation is put that is sound, and one that has the defect."""


def _limits_around(value: Value) -> tuple[Value, Value]:
    """Return two values between which a value lies: the full hours of a time, else a
    tenth below and above.
    """
    number = value.number
    if value.type == "time":
        hour = int(number) // HOUR * HOUR
        next_hour = (hour + HOUR) % DAY
        return replace(value, number=hour), replace(value, number=next_hour)
    is_exact = number < 20 or number != int(number)
    digits = 1 if is_exact else 0
    step = 10.0**-digits
    low = min(round(number * 0.9, digits), round(number - step, digits))
    high = round(number * 1.15, digits)
    return replace(value, number=low), replace(value, number=high)


def fill_slots(template: str, **slots: object) -> str:
    """Return a template with its slots filled in, `a` made `an`; a slot's content is
    not read for slots again.
    """
    literal, *parts = template.split("{")
    filled = ""
    for part in parts:
        name, _, rest = part.partition("}")
        content = str(slots[name])
        if f" {literal.lower()}".endswith(" a ") and content.startswith(_VOWELS):
            literal = f"{literal[:-1]}n "
        filled += literal + content
        literal = rest
    return filled + literal
