"""Quads: two questions by two passages, answerable on the diagonal only."""

from dataclasses import dataclass, field
from random import Random

from refusalbench_tasks.taxonomy import CLASSES, Intensity, expected_label
from refusalbench_tasks.worlds.asking import Question, ask, described, shapes
from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.lever import Lever
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.operations import LEVERS
from refusalbench_tasks.worlds.pack import DOMAINS, Pack, Relation, pack
from refusalbench_tasks.worlds.passage import REGISTERS, passage
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.statement import Statement

TRIES = 40
SHORTEST, LONGEST = 70, 220


@dataclass(frozen=True)
class Text:
    """One passage and what it states."""

    text: str
    original: str
    """The same passage without the lever of its answerable row."""
    statements: tuple[Statement, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Cell:
    """One row of a quad: a question beside a passage, the lever that it is a case of, and what the solver says."""

    question: Question
    plain: str
    """The question before a lever changed it."""
    text: Text
    lever: Lever
    solved: Solved


@dataclass(frozen=True)
class Quad:
    """Four rows: (question 1, text 1) and (question 2, text 2) are answerable, the other two are not."""

    seed: int
    index: int
    domain: str
    relation: Relation
    register: str
    hops: int
    cells: tuple[Cell, Cell, Cell, Cell] = field(repr=False)


def make_quad(seed: int, index: int, domains: tuple[str, ...] = DOMAINS) -> Quad:
    """Return quad `index` of a seed; it depends on nothing else.

    Class, intensity and lever follow from the index, so that any run of quads is balanced; the rest is drawn. Raises
    LookupError if no domain has what the lever needs.
    """
    rng = Random(f"worlds:{seed}:{index}")
    hard = due(index)
    options = [(name, relation) for name in domains for relation in pack(name).relations if fitting(hard, relation)]
    for _ in range(TRIES):
        domain, relation = rng.choice(options)
        try:
            return _drawn(rng, seed, index, hard, pack(domain), relation)
        except Impure:
            continue
    raise LookupError(f"quad {index} of seed {seed}: no scene of '{hard.name}' has the labels that it must have")


def due(index: int) -> Lever:
    """Return the MEDIUM or HIGH lever of a quad: classes alternate, then intensities, then levers."""
    classes = [one for one in CLASSES if any(lever.perturbation is one for lever in LEVERS)]
    turn, place = divmod(index, len(classes))
    level = (Intensity.MEDIUM, Intensity.HIGH)[turn % 2]
    fits = [one for one in LEVERS if one.perturbation is classes[place] and one.intensity is level]
    fits = fits or [one for one in LEVERS if one.perturbation is classes[place] and one.intensity is not Intensity.LOW]
    return fits[(turn // 2) % len(fits)]


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


def fitting(hard: Lever, relation: Relation) -> bool:
    """Return whether a relation can be asked in a quad of a lever."""
    return hard.fits(relation) and bool(low_levers(hard, relation))


def _drawn(rng: Random, seed: int, index: int, hard: Lever, of: Pack, relation: Relation) -> Quad:
    soft = rng.choice(low_levers(hard, relation))
    scene = _scene(rng, of, relation)
    first, second, hops = _questions(scene, hard)
    register = rng.choice(REGISTERS)
    texts = (
        _text(scene, (soft, scene.a), (hard, scene.b), (first, second), register),
        _text(scene, (soft, scene.b), (hard, scene.a), (first, second), register),
    )
    cells = []
    for question, subject in ((first, scene.a), (second, scene.b)):
        text = soft.reword(scene, subject, question.text)
        asked = Question(text, question.ask, question.given)
        for number, shown in enumerate(texts):
            lever = soft if (number == 0) == (subject == scene.a) else hard
            solved = solve(shown.statements, asked.ask, of.ontology)
            if solved.label is not expected_label(lever.perturbation, lever.intensity):
                raise Impure(f"{lever.name}: {solved.label}")
            cells.append(Cell(asked, question.text, shown, lever, solved))
    return Quad(seed, index, of.domain, relation, register, hops, (cells[0], cells[1], cells[2], cells[3]))


def _scene(rng: Random, of: Pack, relation: Relation) -> Scene:
    side = rng.choice([one for one in of.relations if one.subject == relation.subject and one.name != relation.name])
    scene = Scene(rng, Names(rng), of, relation, side, "", "", [], "")
    scene.a, scene.b = scene.thing(), scene.thing()
    scene.others = [scene.thing() for _ in range(4)]
    kind = of.kinds[relation.subject]
    scene.whole = scene.new(kind.whole) if kind.whole else ""
    return scene


def _questions(scene: Scene, hard: Lever) -> tuple[Question, Question, int]:
    allowed = [one for one in shapes(scene.relation) if not hard.operators or one in hard.operators]
    operator = scene.rng.choice(allowed)
    limit = scene.draw(scene.relation) if operator == "at_least" else None
    first = ask(scene, scene.a, operator, scene.others, limit)
    second = ask(scene, scene.b, operator, scene.others, limit)
    given = first.given
    second = Question(second.text, second.ask, given)
    if operator == "value" and scene.side.inverse and scene.rng.random() < 0.5:
        return described(scene, first, scene.a), described(scene, second, scene.b), 2
    return first, second, 2 if given else 1


def _text(
    scene: Scene, easy: tuple[Lever, str], hard: tuple[Lever, str], questions: tuple[Question, Question], register: str
) -> Text:
    rng = scene.rng
    answer, defect = easy[0].treat(scene, easy[1]), hard[0].treat(scene, hard[1])
    given = list(dict.fromkeys(one for question in questions for one in question.given))
    around = [scene.state(other, scene.side) for other in scene.others[2:]]
    blocks = [*answer, *defect, *given, *around]
    goal = rng.randint(SHORTEST, LONGEST)
    idle = rng.sample(scene.pack.idle, len(scene.pack.idle))
    words = sum(len(sentence.text.split()) for one in blocks for sentence in one.sentences)
    while words < goal and idle:
        text = idle.pop()
        blocks.append(block(text))
        words += len(text.split())
    rng.shuffle(blocks)
    plain = [scene.state(easy[1])]
    statements = tuple(one for each in blocks for one in each.statements)
    shown = passage(blocks, register, scene.pack, rng)
    kept = [one for one in blocks if one not in answer]
    original = passage([*kept, *plain], register, scene.pack, rng)
    return Text(shown, original, statements, tuple(blocks))
