"""Scenarios: shapes of question that a quad can turn on, each in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from refusalbench_tasks.worlds.asking import Question, ask, described, shapes
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever
from refusalbench_tasks.worlds.pack import Pack, Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure

Posed: TypeAlias = tuple[Question, Question, int]
"""The questions about the two things, and the facts that an answer needs at least (hops)."""


def things(scene: Scene) -> None:
    """Leave the two things as they are: of the kind that the relation is asked of."""


def wholes(scene: Scene) -> None:
    """Put two wholes in the place of the two things; their parts are of the kind that the relation is asked of."""
    kind = scene.pack.kinds[scene.relation.subject].whole
    scene.a, scene.b, scene.apart = scene.new(kind), scene.new(kind), True


def stated(scene: Scene, subject: str) -> list[Block]:
    """Return the plain statement of the asked value."""
    return [scene.state(subject)]


def any_pack(of: Pack, relation: Relation) -> bool:
    """Return True: the scenario needs nothing of a pack."""
    return True


def has_whole(of: Pack, relation: Relation) -> bool:
    """Return whether things that the relation is asked of are parts of wholes."""
    return bool(of.kinds[relation.subject].whole)


@dataclass(frozen=True)
class Scenario:
    """One shape of question.

    `pose` asks it of both things, given the scene and the two levers of the quad, the LOW one last; what both passages
    state besides stands in the questions' `given`. `cast` sets the two things up. `plain` is what a text without any
    lever says, so that the question has its answer. `topic` names the pack of its own that the scenario takes place in,
    if it does not fit the domains.
    """

    pose: Callable[[Scene, Lever, Lever], Posed]
    cast: Callable[[Scene], None] = things
    plain: Callable[[Scene, str], list[Block]] = stated
    fits: Callable[[Pack, Relation], bool] = any_pack
    topic: str = ""


SCENARIOS: dict[str, Scenario] = {}
"""All scenarios by the name that levers call them by."""


def scenario(name: str, **more: object) -> Callable[[Callable[[Scene, Lever, Lever], Posed]], None]:
    """Register the scenario that the decorated function poses; `more` are the other fields of `Scenario`."""

    def register(pose: Callable[[Scene, Lever, Lever], Posed]) -> None:
        SCENARIOS[name] = Scenario(pose, **more)  # type: ignore[arg-type]

    return register


@scenario("value")
def look_up(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for one relation of a thing, alone or beside bystanders, named or described by another fact."""
    allowed = [
        one
        for one in shapes(scene.relation)
        if all(not lever.operators or one in lever.operators for lever in (hard, soft))
    ]
    if not allowed:
        raise Impure(f"no question is one for both {hard.name} and {soft.name}")
    operator = scene.rng.choice(allowed)
    limit = scene.draw(scene.relation) if operator == "at_least" else None
    first = ask(scene, scene.a, operator, scene.others, limit)
    second = ask(scene, scene.b, operator, scene.others, limit)
    given = first.given
    second = Question(second.text, second.ask, given)
    if operator == "value" and scene.side.inverse and scene.rng.random() < 0.5:
        return described(scene, first, scene.a), described(scene, second, scene.b), 2
    return first, second, 1 + len(given)


def each(scene: Scene, question: Callable[[str], Question], hops: int = 1) -> Posed:
    """Return one question asked of both things; a pattern that it draws is drawn for each."""
    return question(scene.a), question(scene.b), hops
