"""Quads: two questions by two passages, answerable on the diagonal only."""

import re
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from random import Random
from typing import TypeAlias

from refusalbench_tasks.taxonomy import CLASSES, Intensity, expected_label
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.company import FEWEST, MOST, distractors, idle
from refusalbench_tasks.worlds.lever import Lever, Told
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.operations import LEVERS
from refusalbench_tasks.worlds.pack import DOMAINS, EVERYDAY, Pack, Relation, pack
from refusalbench_tasks.worlds.passage import REGISTERS, passage
from refusalbench_tasks.worlds.scenario import SCENARIOS
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.statement import Statement

TRIES = 40
_WORD = re.compile(r"\w+")


class NoQuad(LookupError):
    """A lever for which no scene has the labels that its quad must have, or domains that no lever fits."""


@dataclass(frozen=True)
class Text:
    """One passage and what it states."""

    text: str
    statements: tuple[Statement, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Cell:
    """One row of a quad: a question beside a passage, the lever that it is a case of, and what the solver says."""

    question: Question
    plain: str
    """The question before a lever changed it."""
    text: Text
    original: Text
    """The same passage in the same order, without the lever of this row: the question has an answer there."""
    lever: Lever
    solved: Solved


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
    options = _options(hard, domains)
    for _ in range(TRIES):
        domain, relation = rng.choice(options)
        try:
            return _drawn(rng, seed, index, hard, pack(domain), relation)
        except Impure:
            continue
    raise NoQuad(f"quad {index} of seed {seed}: no scene of '{hard.name}' has the labels that it must have")


def due(index: int, domains: tuple[str, ...] = DOMAINS) -> Lever:
    """Return the MEDIUM or HIGH lever of a quad: classes alternate, then intensities, then levers."""
    hard = usable(domains)
    classes = [one for one in CLASSES if any(lever.perturbation is one for lever in hard)]
    turn, place = divmod(index, len(classes))
    level = (Intensity.MEDIUM, Intensity.HIGH)[turn % 2]
    fits = [one for one in hard if one.perturbation is classes[place] and one.intensity is level]
    fits = fits or [one for one in hard if one.perturbation is classes[place]]
    return fits[(turn // 2) % len(fits)]


@cache
def usable(domains: tuple[str, ...]) -> tuple[Lever, ...]:
    """Return the MEDIUM and HIGH levers that some relation of the domains fits. Raises NoQuad if there is none."""
    found = [one for one in LEVERS if one.intensity is not Intensity.LOW]
    hard = tuple(one for one in found if _options(one, domains))
    if not hard:
        raise NoQuad(f"domains {', '.join(domains)}: no lever fits any of their relations")
    return hard


@cache
def _options(hard: Lever, domains: tuple[str, ...]) -> tuple[tuple[str, Relation], ...]:
    """Return the relations, with their packs, that a lever can be asked in: of its own topic, or of everyday domains.

    None of them is of a domain that is not among those given.
    """
    topic = SCENARIOS[hard.scenario].topic
    return tuple(
        (name, relation)
        for name in domains
        if (name == topic if topic else name in EVERYDAY)
        for relation in pack(name).relations
        if fitting(hard, pack(name), relation)
    )


@cache
def low_levers(hard: Lever, relation: Relation) -> list[Lever]:
    """Return the LOW levers that can share a quad with a lever: same class, same scenario, same relation."""
    return [
        one
        for one in LEVERS
        if one.perturbation is hard.perturbation
        and one.intensity is Intensity.LOW
        and one.scenario == hard.scenario
        and one.fits(relation)
    ]


@cache
def _rarity(lever: Lever, domain: str) -> float:
    """Return how many relations of a pack there are for each that a lever fits, so that all levers have their turn."""
    relations = pack(domain).relations
    return len(relations) / sum(lever.fits(relation) for relation in relations)


def fitting(hard: Lever, of: Pack, relation: Relation) -> bool:
    """Return whether a relation of a pack can be asked in a quad of a lever."""
    return hard.fits(relation) and SCENARIOS[hard.scenario].fits(of, relation) and bool(low_levers(hard, relation))


def _drawn(rng: Random, seed: int, index: int, hard: Lever, of: Pack, relation: Relation) -> Quad:
    soft_ones = low_levers(hard, relation)
    soft = rng.choices(soft_ones, [_rarity(one, of.domain) for one in soft_ones])[0]
    scene = new_scene(rng, of, relation, Names(rng))
    shape = SCENARIOS[hard.scenario]
    shape.cast(scene)
    first, second, hops = shape.pose(scene, hard, soft)
    register = rng.choice(REGISTERS)
    cells: list[Cell] = []
    given = list(dict.fromkeys([*first.given, *second.given]))
    other = scene.another(hard.fits) if hard.echo else None
    shown = [
        _texts(
            scene,
            soft.told(scene, easy, shape.plain),
            hard.told(scene, bad, shape.plain),
            [*given, *_echo(scene, hard, other, easy, bad)],
            register,
        )
        for easy, bad in _roles(scene, hard)
    ]
    if hard.intrinsic:
        return Quad(
            seed, index, of.domain, relation, register, hops, _told_apart((first, second), shown, hard, soft, of)
        )
    for question, subject in ((first, scene.a), (second, scene.b)):
        asked = Question(soft.reword(scene, subject, question.text), question.ask, question.given)
        for number, (text, soft_original, hard_original) in enumerate(shown):
            easy = (number == 0) == (subject == scene.a)
            lever, original = (soft, soft_original) if easy else (hard, hard_original)
            solved = solve(text.statements, asked.ask, of.ontology)
            if solved.label is not expected_label(lever.perturbation, lever.intensity):
                raise Impure(f"{lever.name}: {solved.label}")
            if asked.ask.operator == "difference" and solved.answer is not None and solved.answer.number <= 1:
                raise Impure("a difference of none or one")
            cells.append(Cell(asked, question.text, text, original, lever, solved))
    return Quad(seed, index, of.domain, relation, register, hops, (cells[0], cells[1], cells[2], cells[3]))


def _roles(scene: Scene, hard: Lever) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return for each text the thing that has its answer, and the thing of the other lever."""
    if hard.intrinsic:
        return (scene.a, scene.a), (scene.a, scene.a)
    return (scene.a, scene.b), (scene.b, scene.a)


def _told_apart(
    questions: tuple[Question, Question], shown: list[tuple[Text, Text, Text]], hard: Lever, soft: Lever, of: Pack
) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the cells of a quad whose second question has no answer by itself: both questions by each text."""
    cells = []
    for text, soft_original, hard_original in shown:
        for asked, lever, original in ((questions[0], soft, soft_original), (questions[1], hard, hard_original)):
            solved = solve(text.statements, asked.ask, of.ontology)
            if solved.label is not expected_label(lever.perturbation, lever.intensity):
                raise Impure(f"{lever.name}: {solved.label}")
            if asked.ask.operator == "difference" and solved.answer is not None and solved.answer.number <= 1:
                raise Impure("a difference of none or one")
            cells.append(Cell(asked, questions[0].text, text, original, lever, solved))
    return cells[0], cells[1], cells[2], cells[3]


def new_scene(rng: Random, of: Pack, relation: Relation, names: Names) -> Scene:
    """Return a scene of a relation with fresh things."""
    side = rng.choice([one for one in of.relations if one.subject == relation.subject and one.name != relation.name])
    scene = Scene(rng, names, of, relation, side, "", "", [], "")
    scene.a, scene.b = scene.thing(), scene.thing()
    scene.others = [scene.thing() for _ in range(4)]
    kind = of.kinds[relation.subject]
    scene.whole = scene.new(kind.whole) if kind.whole else ""
    return scene


def _echo(scene: Scene, hard: Lever, other: Relation | None, easy: str, bad: str) -> list[Block]:
    """Return the lever upon another relation of the answerable thing, and the plain fact of the other thing."""
    if other is None:
        return []
    turned = scene.turned(other)
    return [*hard.told(turned, easy, SCENARIOS[hard.scenario].plain).row, turned.state(bad)]


def _texts(scene: Scene, easy: Told, hard: Told, given: list[Block], register: str) -> tuple[Text, Text, Text]:
    """Return a passage, the same without the lever of its answerable row, and without that of its other row."""
    rng = scene.rng
    others = [*given, *distractors(scene, rng.randint(FEWEST, MOST))]
    others += idle(scene, [*easy.row, *hard.row, *others])
    pairs = [*_paired(easy, soft=True), *_paired(hard, soft=False), *((one, one, one) for one in others)]
    rng.shuffle(pairs)
    pairs.sort(key=lambda one: not any(block and block.leads for block in one))
    form = rng.random()
    # the same draws give the three texts the same form
    texts = [
        _text([one for one in column if one], register, scene.pack, Random(form)) for column in zip(*pairs, strict=True)
    ]
    if hard.purged and hard.purged & {*_WORD.findall(texts[0].text)}:
        raise Impure("a word that must not stand in the passage does")
    return texts[0], texts[1], texts[2]


def _text(blocks: list[Block], register: str, of: Pack, rng: Random) -> Text:
    statements = tuple(one for each in blocks for one in each.statements)
    return Text(passage(blocks, register, of, rng), statements, tuple(blocks))


_Trio: TypeAlias = tuple[Block | None, Block | None, Block | None]
"""What stands in one place: in the row, without the lever of the answerable row, without the lever of the other."""


def _paired(told: Told, soft: bool) -> list[_Trio]:
    """Return each block of a row beside what stands in its place in the row's original."""
    size = len(told.row)
    kept: list[Block | None] = [one if one in told.row else replace(one, row=None) for one in told.original]
    if len(kept) > size > 0:
        kept[size - 1 :] = [joined(*(one for one in kept[size - 1 :] if one))]
    pairs = list(zip_longest(told.row, kept))
    return [(row, clean, row) if soft else (row, row, clean) for row, clean in pairs]
