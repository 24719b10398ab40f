"""Faults planted in packs, wording, questions, registers, filler and scenes of worlds, one function each."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

import pytest

from refusalbench_tasks.worlds import asking, passage, quad, scenario, scene
from refusalbench_tasks.worlds.block import Block, Sentence, block
from refusalbench_tasks.worlds.lever import Lever, Told
from refusalbench_tasks.worlds.operations import telling
from refusalbench_tasks.worlds.pack import Pack, Relation
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, written

Patch: TypeAlias = pytest.MonkeyPatch
Where: TypeAlias = Callable[[Quad], bool]
Plant: TypeAlias = Callable[[Patch], None]


@dataclass(frozen=True)
class Fault:
    """One fault, and in which quads there is something that it can spoil."""

    name: str
    plant: Plant
    where: Where


FAULTS: list[Fault] = []


def anywhere(one: Quad) -> bool:
    return True


def typed(*types: str) -> Where:
    return lambda one: one.relation.type in types


def asks(*operators: str) -> Where:
    return lambda one: one.cells[0].question.ask.operator in operators


def in_register(*names: str) -> Where:
    return lambda one: one.register in names


def says(words: str) -> Where:
    found = re.compile(words)
    return lambda one: any(found.search(cell.text.text) for cell in one.cells)


def dated(one: Quad) -> bool:
    return typed("date")(one) and asks("value")(one)


def figures(one: Quad) -> bool:
    return typed("count", "money", "measure")(one) and asks("value")(one)


def soft(*names: str) -> Where:
    return lambda one: one.cells[0].lever.name in names


def hard(*names: str) -> Where:
    return lambda one: one.cells[1].lever.name in names


def described(one: Quad) -> bool:
    return one.cells[0].question.ask.via is not None


def fault(name: str, where: Where = anywhere) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        FAULTS.append(Fault(name, plant, where))
        return plant

    return register


# ---- packs and their frames


def in_frames(name: str, change: Callable[[Relation, Relation], dict[str, Any]], where: Where = anywhere) -> None:
    """Plant a fault in every relation of a pack, given the relation and another one of the same kind of things."""

    def plant(patch: Patch) -> None:
        drawn = quad._drawn

        def faulty(rng: Random, seed: int, index: int, hard: Lever, of: Pack, relation: Relation) -> Quad:
            several = [_changed(one, _next(of, one), change) for one in of.relations]
            spoilt = of.model_copy(update={"relations": tuple(several)})
            return drawn(rng, seed, index, hard, spoilt, several[of.relations.index(relation)])

        patch.setattr(quad, "_drawn", faulty)

    fault(name, where)(plant)


def _next(of: Pack, one: Relation) -> Relation:
    """Return another relation of the same things, of the same type if there is one."""
    others = [other for other in of.relations if other.subject == one.subject and other.name != one.name]
    return min(others, key=lambda other: other.type != one.type)


def _changed(one: Relation, other: Relation, change: Callable[[Relation, Relation], dict[str, Any]]) -> Relation:
    return one.model_copy(update=change(one, other))


def each(frames: Sequence[str], change: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(change(frame) for frame in frames)


def lowered(frame: str) -> str:
    return frame if frame.startswith("{") else frame[0].lower() + frame[1:]


in_frames(
    "the sentences of another relation",
    lambda one, other: {"states": other.states},
    lambda one: one.relation.type != "flag",
)
in_frames("the questions of another relation", lambda one, other: {"asks": other.asks}, asks("value"))
in_frames(
    "the nouns of another relation",
    lambda one, other: {"attribute": other.attribute},
    asks("compare", "difference", "sum"),
)
in_frames("the description of another relation", lambda one, other: {"inverse": other.inverse}, described)
in_frames("a flag denied in the words that state it", lambda one, other: {"denies": one.states}, typed("flag"))
in_frames("a flag stated in the words that deny it", lambda one, other: {"states": one.denies}, typed("flag"))
in_frames(
    "a sentence without its value", lambda one, other: {"states": each(one.states, lambda x: x.replace(" {V}", ""))}
)
in_frames(
    "a sentence that denies what it should state",
    lambda one, other: {"states": each(one.states, lambda x: f"It is not true that {lowered(x)}")},
)
in_frames(
    "a sentence about nobody", lambda one, other: {"states": each(one.states, lambda x: x.replace("{S}", "that place"))}
)
in_frames(
    "a value given roughly that is exact",
    lambda one, other: {"states": each(one.states, lambda x: x.replace("{V}", "about {V}"))},
    typed("count", "money", "measure"),
)
in_frames(
    "a second value in the same sentence",
    lambda one, other: {"states": each(one.states, lambda x: x.replace("{V}", "1899 and {V}"))},
    typed("year"),
)
in_frames(
    "a bare sentence that gives a value",
    lambda one, other: {"bare": each(one.states, lambda x: x.replace("{V}", "1899"))},
    lambda one: (
        one.relation.type == "year"
        and one.cells[1].lever.name in ("Missing Temporal Adjunct", "Answer Clause Excised", "Modal Dilution")
    ),
)


@fault("two things of one name")
def one_name(patch: Patch) -> None:
    made = Scene.new
    patch.setattr(
        Scene, "new", lambda self, kind: made(self, kind) if kind != self.relation.subject else "the Old Place"
    )


@fault("the rank of a source turned upside down", says("According|account of"))
def rank_turned(patch: Patch) -> None:
    named = Scene.source
    patch.setattr(Scene, "source", lambda self, rank: named(self, 2 - rank))


# ---- values in words


def in_words(name: str, change: Callable[[Value, str], str], where: Where) -> None:
    """Plant a fault in how sentences write values; the statements keep the right ones."""

    def plant(patch: Patch) -> None:
        for module in (scene, asking):
            if hasattr(module, "written"):
                patch.setattr(module, "written", lambda value: change(value, written(value)))

    fault(name, where)(plant)


def numbered(change: Callable[[int], int]) -> Callable[[Value, str], str]:
    def faulty(value: Value, text: str) -> str:
        return (
            written(replace(value, content=change(value.content)))
            if isinstance(value.content, int) and value.type != "flag"
            else text
        )

    return faulty


_SWAPS = ("January July", "March May", "April August", "June October", "February September", "November December")
MONTHS = {old: new for pair in map(str.split, _SWAPS) for old, new in (pair, pair[::-1])}
in_words("a number off by one", numbered(lambda number: number + 1), figures)
in_words("a year off by one", numbered(lambda number: number - 1), typed("year"))
in_words("a number ten times as high", numbered(lambda number: number * 10), figures)
in_words("the digits of a number turned", numbered(lambda number: int(str(number)[::-1])), typed("year"))
in_words(
    "another unit",
    lambda value, text: text.replace(value.unit, "fathoms") if value.unit else text,
    typed("measure", "money"),
)
in_words(
    "no unit", lambda value, text: text.replace(f" {value.unit}", "") if value.unit else text, typed("measure", "money")
)
in_words(
    "another month",
    lambda value, text: (
        re.sub(r"[A-Z]\w+", lambda found: MONTHS.get(found[0], found[0]), text) if value.type == "date" else text
    ),
    dated,
)
in_words(
    "the day of the next week",
    lambda value, text: (
        re.sub(r"^\d+", lambda found: str(int(found[0]) % 28 + 1), text) if value.type == "date" else text
    ),
    dated,
)
in_words(
    "an hour later",
    lambda value, text: f"{(int(text[:2]) + 1) % 24:02}{text[2:]}" if value.type == "time" else text,
    typed("time"),
)
in_words(
    "a list without its last name",
    lambda value, text: text.split(" and ")[0] if value.type == "names" else text,
    typed("names"),
)
in_words(
    "the family name of somebody else",
    lambda value, text: f"{text.split()[0]} Tavost" if value.type == "person" else text,
    typed("person"),
)
in_words(
    "a place of another name",
    lambda value, text: text[::-1].capitalize() if value.type == "place" else text,
    typed("place"),
)


# ---- scenes


@fault("the name of the other thing")
def other_name(patch: Patch) -> None:
    state = Scene.state

    def faulty(self: Scene, subject: str, relation: Relation | None = None, value: Value | None = None) -> Block:
        right = state(self, subject, relation, value)
        if subject not in (self.a, self.b):
            return right
        other = self.b if subject == self.a else self.a
        row = right.row and (other, *right.row[1:])
        return Block(tuple(replace(one, text=one.text.replace(subject, other)) for one in right.sentences), row)

    patch.setattr(Scene, "state", faulty)


@fault("a text with another value than the statement", typed("year", "count", "person", "kind", "money"))
def other_value(patch: Patch) -> None:
    state = Scene.state

    def faulty(self: Scene, subject: str, relation: Relation | None = None, value: Value | None = None) -> Block:
        told = relation or self.relation
        right = state(self, subject, relation, value)
        return (
            right
            if told.type == "flag"
            else _restated(right, state(self, subject, relation, self.rival(subject, told)))
        )

    patch.setattr(Scene, "state", faulty)


def _restated(right: Block, wrong: Block) -> Block:
    return Block((Sentence(wrong.sentences[0].text, right.statements),), wrong.row)


@fault(
    "the same value on both sides of a contradiction",
    lambda one: one.cells[0].lever.perturbation.value == "P-Contradiction",
)
def same_value(patch: Patch) -> None:
    patch.setattr(Scene, "rival", lambda self, subject, relation=None: self.value(subject, relation))


@fault("a value drawn anew at each mention", lambda one: described(one) or asks("compare", "highest")(one))
def forgotten(patch: Patch) -> None:
    patch.setattr(Scene, "value", lambda self, subject, relation=None: self.draw(relation or self.relation))


@fault("what a lever says is not put down as said")
def unsaid(patch: Patch) -> None:
    say = Scene.say
    patch.setattr(
        Scene, "say", lambda self, patterns, statements, subject, **more: say(self, patterns, [], subject, **more)
    )


@fault("the roles of the two things swapped")
def roles_swapped(patch: Patch) -> None:
    roles = quad._roles
    patch.setattr(quad, "_roles", lambda stage, hard: roles(stage, hard)[::-1])


@fault("both texts about one thing")
def one_role(patch: Patch) -> None:
    patch.setattr(quad, "_roles", lambda stage, hard: ((stage.a, stage.b), (stage.a, stage.b)))


@fault("a lever that does nothing")
def idle_lever(patch: Patch) -> None:
    told = Lever.told
    patch.setattr(Lever, "told", lambda self, stage, subject, plain: _plain(told(self, stage, subject, plain)))


def _plain(right: Told) -> Told:
    return Told(right.original or right.row, right.original)


@fault("a lever without its last sentence")
def slot_dropped(patch: Patch) -> None:
    told = Lever.told

    def faulty(self: Lever, stage: Scene, subject: str, plain: Callable[[Scene, str], list[Block]]) -> Told:
        right = told(self, stage, subject, plain)
        return replace(
            right,
            row=[
                replace(one, sentences=(replace(one.sentences[0], text="Nothing more was said."),)) for one in right.row
            ],
        )

    patch.setattr(Lever, "told", faulty)


@fault("what both questions need is left out of the texts", asks("compare", "difference", "sum", "highest"))
def not_given(patch: Patch) -> None:
    texts = quad._texts
    patch.setattr(quad, "_texts", lambda stage, easy, hard, given, register: texts(stage, easy, hard, [], register))


# ---- questions


def in_question(name: str, change: Callable[[str, Scene, str], str], where: Where) -> None:
    """Plant a fault in the words of questions; their logical forms stay right."""

    def plant(patch: Patch) -> None:
        ask = vars(scenario)["ask"]

        def faulty(
            stage: Scene, subject: str, operator: Any, others: list[str], limit: Value | None
        ) -> asking.Question:
            right: asking.Question = ask(stage, subject, operator, others, limit)
            return replace(right, text=change(right.text, stage, subject))

        patch.setattr(scenario, "ask", faulty)

    fault(name, where)(plant)


def swapped(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with words replaced by others."""
    for old, new in pairs:
        text = re.sub(rf"\b{old}\b", new, text)
    return text


in_question(
    "a question about the other thing",
    lambda text, stage, subject: text.replace(subject, stage.b if subject == stage.a else stage.a),
    asks("value"),
)
in_question(
    "a comparison with another bystander",
    lambda text, stage, subject: text.replace(stage.others[0], stage.others[2]),
    asks("compare", "difference", "sum"),
)
in_question(
    "lower asked for instead of higher",
    lambda text, stage, subject: swapped(text, ("higher", "lower"), ("later", "earlier")),
    asks("compare"),
)
in_question(
    "lowest asked for instead of highest",
    lambda text, stage, subject: swapped(text, ("highest", "lowest"), ("latest", "earliest")),
    asks("highest"),
)
in_question("another limit", lambda text, stage, subject: re.sub(r"\d+", "1", text), asks("at_least"))
in_question(
    "at most asked for instead of at least",
    lambda text, stage, subject: swapped(
        text,
        ("at least", "at most"),
        ("or later", "or earlier"),
        ("or more", "or less"),
        ("reach", "stay under"),
        ("or after it", "or before it"),
        ("a later", "an earlier"),
    ),
    asks("at_least"),
)
in_question("a question without its verb", lambda text, stage, subject: " ".join(text.split()[2:]), asks("value"))


@fault("a sum asked for instead of a difference", asks("difference"))
def sum_for_difference(patch: Patch) -> None:
    patch.setitem(asking._PATTERNS, "difference", dict.fromkeys(("late", "high"), asking.SUM))


@fault("a thing described by the fact of the other thing", described)
def described_by_another(patch: Patch) -> None:
    right = asking.described

    def faulty(stage: Scene, question: asking.Question, subject: str) -> asking.Question:
        found = right(stage, question, subject)
        link, other = stage.side, stage.b if subject == stage.a else stage.a
        told = found.text.replace(str(stage.value(subject, link)), str(stage.value(other, link)))
        return replace(found, text=told)

    patch.setattr(scenario, "described", faulty)


# ---- registers


@fault("the values of a table a row too low", in_register("table"))
def rows_shifted(patch: Patch) -> None:
    table = passage._table

    def faulty(blocks: Sequence[Block], rng: Random) -> str:
        rows = [one.row for one in blocks if one.row]
        below = iter([*rows[1:], *rows[:1]])
        return table([replace(one, row=(*one.row[:2], next(below)[2])) if one.row else one for one in blocks], rng)

    patch.setattr(passage, "_table", faulty)


@fault("the columns of a table swapped", in_register("table"))
def columns_swapped(patch: Patch) -> None:
    table = passage._table
    patch.setattr(
        passage,
        "_table",
        lambda blocks, rng: table(
            [replace(one, row=one.row and (*one.row[:1], one.row[2], one.row[1])) for one in blocks], rng
        ),
    )


@fault("the answer of another question in a list of questions", in_register("faq"))
def answers_shifted(patch: Patch) -> None:
    faq = passage._faq

    def faulty(blocks: Sequence[Block], of: Pack, rng: Random) -> str:
        rows = [one.row for one in blocks if one.row]
        following = iter([*rows[1:], *rows[:1]])
        return faq(
            [replace(one, row=(*one.row[:2], next(following)[2])) if one.row else one for one in blocks], of, rng
        )

    patch.setattr(passage, "_faq", faulty)


def in_text(name: str, change: Callable[[str], str], where: Where) -> None:
    """Plant a fault in passages as they stand."""

    def plant(patch: Patch) -> None:
        right = vars(quad)["passage"]
        patch.setattr(quad, "passage", lambda *given: change(right(*given)))

    fault(name, where)(plant)


def in_blocks(name: str, change: Callable[[list[Block]], list[Block]], where: Where = anywhere) -> None:
    """Plant a fault in which blocks a passage is made of; the statements stay right."""

    def plant(patch: Patch) -> None:
        right = vars(quad)["passage"]
        patch.setattr(quad, "passage", lambda blocks, *rest: right(change(list(blocks)), *rest))

    fault(name, where)(plant)


in_text("the negation dropped", lambda text: swapped(text, ("not ", "")), says(r"\bnot\b"))
in_text("never turned into once", lambda text: swapped(text, ("never", "once")), says(r"\bnever\b"))
in_text("only forgotten", lambda text: swapped(text, ("only ", "")), says("only one|only then|and only if"))
in_text(
    "one of two turned into both",
    lambda text: swapped(text, ("exactly one", "each"), ("not both", "both"), (" or ", " and ")),
    hard("Exclusive-Or Violation"),
)
in_text(
    "sources left out",
    lambda text: re.sub(r"(According to|By the account of) [^,]+, (\w)", lambda found: found[2].upper(), text),
    lambda one: soft("Fringe vs. Official Source")(one) and says("(?s)(According|account).*(According|account)")(one),
)
in_text(
    "an unknown source",
    lambda text: re.sub(r"According to [^,]+,", "According to a passing sailor,", text),
    says("According to"),
)
in_text("a thing's name misspelt", lambda text: re.sub(r"\b([A-Z])(\w)(\w{3,})\b", r"\1\3\2", text), anywhere)
in_blocks("the half of the blocks left out", lambda blocks: blocks[::2])
in_blocks(
    "all facts told twice, the second time of somebody unnamed",
    lambda blocks: [
        *blocks,
        *(
            Block(tuple(Sentence(re.sub(r"^\S+ \S+", "Somebody", two.text)) for two in one.sentences))
            for one in blocks
            if one.row
        ),
    ],
)
in_blocks(
    "sentences in the wrong order, so that a pronoun comes first",
    lambda blocks: [replace(one, sentences=one.sentences[::-1]) for one in blocks],
    says(r"[.] It [a-z]"),
)
in_blocks(
    "an idle sentence before a pronoun",
    lambda blocks: [
        Block(tuple(new for two in one.sentences for new in (two, Sentence("A map hangs on the wall."))))
        for one in blocks
    ],
    says(r"[.] It [a-z]"),
)


# ---- filler


def in_filler(name: str, told: Callable[[Scene, str], Block], where: Where = anywhere) -> None:
    """Plant a sentence about the two things among the idle ones."""

    def plant(patch: Patch) -> None:
        right = vars(quad)["idle"]
        patch.setattr(
            quad,
            "idle",
            lambda stage, blocks: [*right(stage, blocks), *(told(stage, one) for one in (stage.a, stage.b))],
        )

    fault(name, where)(plant)


def silent(right: Block) -> Block:
    """Return a block that states what it does not admit to state."""
    return Block(tuple(Sentence(one.text) for one in right.sentences))


def plain(one: Quad) -> bool:
    return one.relation.type not in ("flag", "names")


in_filler(
    "filler that states a rival value", lambda stage, one: silent(stage.state(one, value=stage.rival(one))), plain
)
in_filler(
    "filler that states the value that is missing",
    lambda stage, one: silent(stage.state(one)),
    lambda one: one.cells[0].lever.perturbation.value == "P-MissingInfo",
)
in_filler(
    "filler that states a rival value, and says so", lambda stage, one: stage.state(one, value=stage.rival(one)), plain
)
in_filler(
    "filler that denies the event",
    lambda stage, one: block(fill(stage.relation.denies[0], {"S": one}) if stage.relation.denies else ""),
    lambda one: bool(one.relation.denies) and one.relation.type != "flag",
)
in_filler("filler with a figure that nobody can place", lambda stage, one: block(f"{one} lost 14 umbrellas."))


# ---- sources


@fault("hearsay quoted as an official source", says("According to|By the account of"))
def hearsay(patch: Patch) -> None:
    right = telling.clause

    def faulty(stage: Scene, subject: str, fact: Fact, *rest: Any, **more: Any) -> Block:
        wrong = replace(fact, source=stage.source(2 - fact.rank)) if fact.source and fact.rank != 1 else fact
        found = right(stage, subject, wrong, *rest, **more)
        return Block((Sentence(found.sentences[0].text, (fact,)),))

    patch.setattr(telling, "clause", faulty)


@fault("what a source says turned into its opposite", says("According to|has it that|says that|By the account of"))
def source_denied(patch: Patch) -> None:
    patch.setattr(telling, "SAYING", ("{source} denies that ",))
    patch.setattr(telling, "QUOTES", ("{source} denies that the {attribute} of {S} is {V}.",))
