"""Faults in scenes: who is spoken of, what is drawn, what a lever puts down."""

from collections.abc import Callable
from dataclasses import replace

from refusalbench_tasks.worlds import quad, text
from refusalbench_tasks.worlds.block import Block, Sentence
from refusalbench_tasks.worlds.lever import Lever, Told
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.values import Value
from tests.worlds.faults.base import Patch, asks, fault, scenarios, typed


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


@fault("a value drawn anew at each mention", pool=scenarios("people", "median"))
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
    right = text.passage_of
    patch.setattr(quad, "passage_of", lambda stage, easy, hard, given, register: right(stage, easy, hard, [], register))
