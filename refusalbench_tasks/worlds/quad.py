"""Quads: two questions by two passages, answerable on the diagonal only."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from refusalbench_tasks.taxonomy import expected_label
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import Lever
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import DOMAINS, Pack, Relation, pack
from refusalbench_tasks.worlds.passage import REGISTERS
from refusalbench_tasks.worlds.scenario import SCENARIOS
from refusalbench_tasks.worlds.scene import Scene, new_scene
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.text import Draft, Passage, Text, passage_of
from refusalbench_tasks.worlds.turn import NoQuad, due, low_levers, options, rarity

TRIES = 40


@dataclass(frozen=True)
class Cell:
    """One row of a quad: a question beside a passage, the lever that it is a case of, and what the solver says."""

    question: Question
    plain: str
    """The question before a lever changed it."""
    text: Text
    draft: Draft
    """The same passage in the same order, without the lever of this row: the question has an answer there."""
    lever: Lever
    solved: Solved

    @property
    def original(self) -> Text:
        """Return the passage without the lever."""
        return self.draft.text


@dataclass(frozen=True)
class Quad:
    """Four rows: (question 1, text 1) and (question 2, text 2) are answerable, the other two are not.

    Of a lever whose question alone tells that it has no answer, question 1 is answerable by both texts and question 2
    by none; each text's two rows stand together.
    """

    seed: int
    index: int
    domain: str
    relation: Relation
    register: str
    hops: int
    cells: tuple[Cell, Cell, Cell, Cell] = field(repr=False)


def make_quad(seed: int, index: int, domains: tuple[str, ...] = DOMAINS, attempt: int = 0) -> Quad:
    """Return quad `index` of a seed; it depends on nothing else.

    Class, intensity and lever follow from the index, so that any run of quads is balanced; the rest is drawn, anew for
    each `attempt`. Raises NoQuad if no domain has what the lever needs.
    """
    rng = Random(f"worlds:{seed}:{index}:{attempt}")
    hard = due(index, domains)
    fits = options(hard, domains)
    for _ in range(TRIES):
        domain, relation = rng.choice(fits)
        try:
            return _drawn(rng, seed, index, hard, pack(domain), relation)
        except Impure:
            continue
    raise NoQuad(f"quad {index} of seed {seed}: no scene of '{hard.name}' has the labels that it must have")


def _drawn(rng: Random, seed: int, index: int, hard: Lever, of: Pack, relation: Relation) -> Quad:
    soft_ones = low_levers(hard, relation)
    soft = rng.choices(soft_ones, [rarity(one, of.domain) for one in soft_ones])[0]
    scene = new_scene(rng, of, relation, Names(rng))
    shape = SCENARIOS[hard.scenario]
    shape.cast(scene)
    first, second, hops = shape.pose(scene, hard, soft)
    register = rng.choice(REGISTERS)
    given = list(dict.fromkeys([*first.given, *second.given]))
    other = scene.another(hard.fits) if hard.echo else None
    shown = [
        passage_of(
            scene,
            soft.told(scene, easy, shape.plain),
            hard.told(scene, bad, shape.plain),
            [*given, *_echo(scene, hard, other, easy, bad)],
            register,
        )
        for easy, bad in _roles(scene, hard)
    ]
    asked = _told_apart(first, second, shown) if hard.intrinsic else _crossed(scene, soft, first, second, shown)
    cells = [_cell(one, soft if easy else hard, of) for one, easy in asked]
    return Quad(seed, index, of.domain, relation, register, hops, (cells[0], cells[1], cells[2], cells[3]))


def _roles(scene: Scene, hard: Lever) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return for each text the thing that has its answer, and the thing of the other lever."""
    if hard.intrinsic:
        return (scene.a, scene.a), (scene.a, scene.a)
    return (scene.a, scene.b), (scene.b, scene.a)


_Asked: TypeAlias = tuple[tuple[Question, str, Text, Draft], bool]
"""A question, as it was before a lever changed it, beside a passage and its original; and whether it has an answer."""


def _crossed(scene: Scene, soft: Lever, first: Question, second: Question, shown: list[Passage]) -> Iterator[_Asked]:
    """Yield both questions by both texts, of which one answers the first and the other the second."""
    for question, subject in ((first, scene.a), (second, scene.b)):
        asked = Question(soft.reword(scene, subject, question.text), question.ask, question.given)
        for number, one in enumerate(shown):
            easy = (number == 0) == (subject == scene.a)
            yield (asked, question.text, one.text, one.without_soft if easy else one.without_hard), easy


def _told_apart(first: Question, second: Question, shown: list[Passage]) -> Iterator[_Asked]:
    """Yield both questions by each text, of a quad whose second question has no answer by itself."""
    for one in shown:
        yield (first, first.text, one.text, one.without_soft), True
        yield (second, first.text, one.text, one.without_hard), False


def _cell(asked: tuple[Question, str, Text, Draft], lever: Lever, of: Pack) -> Cell:
    """Return a row with what the solver says. Raises Impure if that is not what the lever is for."""
    question, plain, text, draft = asked
    solved = solve(text.statements, question.ask, of.ontology)
    if solved.label is not expected_label(lever.perturbation, lever.intensity):
        raise Impure(f"{lever.name}: {solved.label}")
    if question.ask.operator == "difference" and solved.answer is not None and solved.answer.number <= 1:
        raise Impure("a difference of none or one")
    return Cell(question, plain, text, draft, lever, solved)


def _echo(scene: Scene, hard: Lever, other: Relation | None, easy: str, bad: str) -> list[Block]:
    """Return the lever upon another relation of the answerable thing, and the plain fact of the other thing."""
    if other is None:
        return []
    turned = scene.turned(other)
    return [*hard.told(turned, easy, SCENARIOS[hard.scenario].plain).row, turned.state(bad)]
