"""How a document puts one relation of one thing: soundly, or with a defect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

from .document import (
    Document,
    Relation,
    Wording,
    relations,
    templates,
)
from .statement import Classing, Denial, Fact, Named, Statement
from .values import Value, limits_around, month_of
from .world import World

Operator: TypeAlias = Callable[["Item"], "Phrase"]
CENTURIES = {18: "19th", 19: "20th", 20: "21st"}
NOON = 720
EVENING = 1080
_VOWELS = tuple("aeio")
DRESSED = 0.4
"""How often a sound value has what only questions about judgements or the future need:
else its presence would tell their class.
"""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One relation of a thing as a document puts it: in words, as the cell of a table,
    and what it states.
    """

    text: str
    cell: str = ""
    statements: Sequence[Statement] = ()
    again: str = ""
    """What states it a second time, at another point of the document."""


@dataclass(frozen=True)
class Style:
    """What a passage is about, and what its sound values have."""

    world: World
    shown: frozenset[str]
    """Relations of which the passage may speak by themselves; sums are made with
    others.
    """
    year: int
    """The year that a question about the future asks for."""
    dress: str
    """What some sound values have: `graded` or `until`."""
    verdicts: tuple[str, str]
    pick: int
    """Which of the plain sentences it uses, of all its entries."""


@dataclass(frozen=True)
class Item:
    """A relation of a named thing with its value, to be put into words."""

    style: Style
    name: str
    relation: Relation
    value: Value
    rng: Random

    @property
    def document(self) -> Document:
        """Return the kind of document."""
        return self.style.world.document

    @property
    def words(self) -> Wording:
        """Return how relations of this group are worded."""
        return self.document.words[self.relation.group]

    @property
    def noun(self) -> str:
        """Return the noun of the relation."""
        return self.relation.noun

    def phrase(self, state: str) -> Phrase:
        """Return the relation in words, in the state that `OPERATORS` names."""
        return OPERATORS[state](self)

    def fact(
        self,
        value: Value | None = None,
        thing: str = "",
        **facets: Any,
    ) -> Fact:
        """Return the statement that the relation has a value, by default its own."""
        return Fact(
            thing or self.name,
            self.noun,
            value or self.value,
            **facets,
        )

    def another(self) -> Value:
        """Return another value that the thing might have, and never had."""
        world = self.style.world
        former = []
        if self.relation.group == "values":
            former.append(world.former(self.name, self.relation))
        return world.another(
            self.rng,
            self.name,
            self.relation,
            former,
        )

    def template(self, kind: str) -> str:
        """Return a template of a kind that documents of all kinds have."""
        return self.rng.choice(templates().phrases[kind])

    def filled(self, options: Sequence[str], **slots: object) -> str:
        """Return one of some templates about the relation, filled in."""
        return fill_slots(self.rng.choice(options), r=self.noun, **slots)

    def sentence(self, value: object) -> str:
        """Return the plain sentence that the relation has a value."""
        if self.relation.has:
            return f"the {self.noun} {fill_slots(self.relation.has, v=value)}"
        options = self.words.say
        option = options[self.style.pick % len(options)]
        return fill_slots(option, r=self.noun, v=value)

    def short(self, value: object) -> str:
        """Return the value as the cell of a table has it."""
        relation = self.relation
        if relation.has:
            _, _, rest = relation.has.partition(" ")
            return fill_slots(rest, v=value)
        return fill_slots(self.words.cell, v=value)

    def put(
        self,
        template: str,
        statements: Sequence[Statement],
        value: Value | None = None,
        **slots: object,
    ) -> Phrase:
        """Return what a template adds to the sentence, and to the cell ({p})."""
        shown = value or self.value
        text = fill_slots(template, p=self.sentence(shown), **slots)
        cell = fill_slots(template, p=self.short(shown), **slots)
        return Phrase(text, cell, statements)

    def plain(self) -> Phrase:
        """Return the relation with its value, and nothing else."""
        value = self.value
        return Phrase(self.sentence(value), self.short(value), [self.fact()])

    def sound(self) -> Phrase:
        """Return the relation with its value, in the dress of the passage."""
        dress = self.style.dress if self.rng.random() < DRESSED else ""
        if self.relation.group != "values" or not dress:
            return self.plain()
        is_settled = self.rng.random() < 0.5
        if dress == "graded":
            return self.graded() if is_settled else self.disputed()
        return self.fixed() if is_settled else self.for_now()

    def missing(self) -> Phrase:
        """Return a sentence and a cell that name the relation without its value."""
        return Phrase(self.filled(self.words.missing), self.document.gap)

    def recorded(self) -> Phrase:
        """Return that the value is to be had in a recording."""
        return Phrase(self.filled(self.words.recorded), self.document.tape)

    def repeated(self) -> Phrase:
        """Return the value, stated twice."""
        return self._twice(self.value, self.value)

    def contradicted(self) -> Phrase:
        """Return the value, and another one elsewhere."""
        other = self.another()
        return self._twice(other, other)

    def clashing(self) -> Phrase:
        """Return the value, and another one elsewhere, in a smaller unit where there is
        one.
        """
        other = self.another()
        has_unit = self.relation.type == "measure"
        return self._twice(other, other.in_smaller_unit() if has_unit else other)

    def _twice(self, second: Value, shown: Value) -> Phrase:
        plain = self.plain()
        again = self.sentence(shown)
        if not self.relation.has:
            # the first template is that of a whole sentence
            again = fill_slots(self.words.say[0], r=self.noun, v=shown)
        return replace(
            plain,
            statements=[self.fact(), self.fact(second)],
            again=again,
        )

    def coarse(self) -> Phrase:
        """Return a sum, a month or a range in place of the value."""
        value = self.value
        template = self.rng.choice(self.words.coarse)
        if "{t}" in template:
            return self._summed(template)
        low, high = limits_around(value)
        if "{m}" in template:
            level = "month"
            shown = f"in {month_of(value)}"
        else:
            level = "range"
            shown = f"{low} to {high}"
            if value.type == "time":
                shown = f"some time between {low} and {high}"
        month = month_of(value) if level == "month" else ""
        text = fill_slots(
            template,
            r=self.noun,
            p=self.sentence(shown),
            m=month,
            v0=low,
            v1=high,
        )
        return Phrase(text, self.short(shown), [self.fact(level=level)])

    def vague(self) -> Phrase:
        """Return the part of the day or the century in place of the value."""
        number = int(self.value.number)
        if self.value.type == "year":
            part = f"{CENTURIES[number // 100]} century"
        else:
            part = "morning" if number < NOON else "afternoon"
            part = part if number < EVENING else "evening"
        text, cell = (
            fill_slots(template, r=self.noun, d=part) for template in self.words.vague
        )
        return Phrase(text, cell, [self.fact(level="vague")])

    def _summed(self, template: str) -> Phrase:
        alike = []
        for relation in relations(self.document.name, "values"):
            same_type = relation.type == self.relation.type
            if same_type and relation.noun not in self.style.shown:
                alike.append(relation)
        other = self.rng.choice(alike)
        added = self.style.world.value(self.name, other)
        number = round(self.value.number + added.number, 4)
        total = replace(self.value, number=number)
        text = fill_slots(
            template,
            r=self.noun,
            t=other.noun,
            v=total,
        )
        fact = self.fact(total, level=f"with {other.noun}")
        return Phrase(text, f"{total} with the {other.noun}", [fact])

    def one_day(self) -> Phrase:
        """Return the count of one day."""
        template = self.rng.choice(self.words.spot)
        text = fill_slots(template, r=self.noun, v=self.value)
        from_value = template[template.index("{v}") :]
        cell = fill_slots(from_value, r=self.noun, v=self.value)
        return Phrase(text, cell, [self.fact(level="one day")])

    def denied(self) -> Phrase:
        """Return that something is not allowed, never happened or does not exist."""
        text = self.relation.none or f"there is no {self.noun}"
        if self.relation.group != "parts":
            text = self.filled(self.words.denied)
        cell = self.filled([self.words.absent])
        return Phrase(text, cell, [Denial(self.name, self.noun)])

    def split(self) -> Phrase:
        """Return two values: of two parts, of two conditions, or of two times."""
        first = ""
        second = ""
        if self.words.senses:
            first, second = self.rng.choice(self.words.senses)
        values = (self.value, self.another())
        lesser, greater = sorted(values, key=lambda value: value.number)
        facts = [
            self.fact(lesser, sense=first or "first"),
            self.fact(greater, sense=second or "second"),
        ]
        if self.relation.has:
            first, second = self.relation.kinds
            has = fill_slots(self.relation.has, v=lesser)
            text = f"the {first} {self.noun} {has}, the {second} {self.noun} {greater}"
            cell = f"{self.short(lesser)} ({first}), {greater} ({second})"
            return Phrase(text, cell, facts)
        template = self.words.split or self.template("split")
        return self.put(
            template,
            facts,
            lesser,
            s=first,
            w=greater,
            u=second,
        )

    def twins(self) -> Phrase:
        """Return two values, each of one of two things of the name."""
        first, second = self.rng.choice(self.document.twins)
        other = self.another()
        statements: list[Statement] = []
        for value, kind in ((self.value, first), (other, second)):
            thing = f"{self.name}, {kind}"
            statements += [Named(self.name, thing), self.fact(value, thing)]
        template = self.template("twins")
        return self.put(
            template,
            statements,
            s=first,
            w=other,
            u=second,
        )

    def graded(self) -> Phrase:
        """Return the value, and what the document says people thought of it."""
        rng = self.style.world.rng(self.name, "class of", self.noun)
        grade = rng.choice(self.style.verdicts)
        classing = Classing(self.name, self.noun, grade)
        template = self.template("graded")
        by = self.document.verdicts.by
        return self.put(
            template,
            [self.fact(), classing],
            g=grade,
            by=by,
        )

    def disputed(self) -> Phrase:
        """Return the value, and that people judge it differently."""
        users = self.document.verdicts.users
        return self.put(self.template("disputed"), [self.fact()], users=users)

    def fixed(self) -> Phrase:
        """Return the value, and until when it holds."""
        until = self.style.year + self.rng.randint(0, 3)
        template = self.template("until")
        return self.put(template, [self.fact(until=until)], Y=until)

    def for_now(self) -> Phrase:
        """Return the value of this year."""
        return self.put(self.template("now"), [self.fact()])


OPERATORS = {
    "sound": Item.sound,
    "plain": Item.plain,
    "repeated": Item.repeated,
    "graded": Item.graded,
    "fixed": Item.fixed,
    "excised": Item.missing,
    "recorded": Item.recorded,
    "clash": Item.clashing,
    "rival": Item.contradicted,
    "bundle": Item.coarse,
    "spot": Item.one_day,
    "vague": Item.vague,
    "denied": Item.denied,
    "impossible": Item.denied,
    "split": Item.split,
    "twins": Item.twins,
    "ungraded": Item.disputed,
    "unjudged": Item.disputed,
    "forecast": Item.for_now,
    "opinion": Item.sound,
}
"""How a relation is put in each state: of soundness, or with a defect of that name."""


def fill_slots(template: str, **slots: object) -> str:
    """Return a template with its slots filled in, `a` made `an`; a slot's content is
    not read for slots again.
    """
    literal, slots_after = _parsed(template)
    filled = ""
    for name, rest in slots_after:
        content = str(slots[name])
        if f" {literal.lower()}".endswith(" a ") and content.startswith(_VOWELS):
            literal = f"{literal[:-1]}n "
        filled += literal + content
        literal = rest
    return filled + literal


@lru_cache(maxsize=4096)
def _parsed(template: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what stands before the first slot, and each slot with what follows it."""
    literal, *parts = template.split("{")
    slots = []
    for part in parts:
        name, _, rest = part.partition("}")
        slots.append((name, rest))
    return literal, slots
