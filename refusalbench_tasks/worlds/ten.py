"""Ten passages for a row: those that bear on the question, near misses of sibling things, and noise."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.company import distractors, idle
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.passage import REGISTERS, passage
from refusalbench_tasks.worlds.quad import Quad, new_scene
from refusalbench_tasks.worlds.solve import Impure, solve
from refusalbench_tasks.worlds.statement import Statement

TEN = 10
MOST_SIGNAL = 3
_CAPITAL = re.compile(r"\b[A-Z][a-z]+")
_FACTS = (4, 12)
_TRIES = 10


@dataclass(frozen=True)
class Ten:
    """Ten passages, the positions of those that bear on the question, and what all of them state."""

    passages: tuple[str, ...]
    signal: tuple[int, ...]
    statements: tuple[Statement, ...]


def ten_passages(quad: Quad, place: int, original: bool = False) -> Ten:
    """Return the ten passages of one of the four rows of a quad, or of its clean original.

    The row's passage is cut into one to three; the others are the same in all four rows and speak of other things of
    the same kind. Positions are drawn, alike for the row and its original. Raises Impure if the ten passages together
    give another label than the one passage: such a quad can't be had with ten.
    """
    for salt in range(_TRIES):
        try:
            return _drawn(quad, place, original, salt)
        except Impure:
            if salt == _TRIES - 1:
                raise
    raise AssertionError("the last try returns or raises")


def _drawn(quad: Quad, place: int, original: bool, salt: int) -> Ten:
    rng = Random(f"worlds:{quad.seed}:{quad.index}:{place}:ten:{salt}")
    text = quad.cells[place].original if original else quad.cells[place].text
    pieces = _cut(quad, text.blocks, Random(f"worlds:{quad.seed}:{quad.index}:{place // 2}:cut"))
    others = _others(quad, salt)
    order = list(range(TEN))
    rng.shuffle(order)
    texts = [*(piece for piece, _ in pieces), *(other for other, _ in others)][:TEN]
    statements = [*text.statements, *(one for _, said in others[: TEN - len(pieces)] for one in said)]
    if not original:
        _check(quad, place, statements)
    shown = tuple(texts[at] for at in order)
    return Ten(shown, tuple(at for at, was in enumerate(order) if was < len(pieces)), tuple(statements))


def _cut(quad: Quad, blocks: Sequence[Block], rng: Random) -> list[tuple[str, Sequence[Block]]]:
    number = min(rng.randint(1, MOST_SIGNAL), max(1, len(blocks) // 3))
    marks = (
        [0, *sorted(rng.sample(range(2, len(blocks) - 1), number - 1)), len(blocks)] if number > 1 else [0, len(blocks)]
    )
    of = pack(quad.domain)
    cut = [blocks[first:last] for first, last in pairwise(marks)]
    return [
        (passage(list(one), quad.register if len(cut) == 1 else rng.choice(REGISTERS), of, rng), one) for one in cut
    ]


def _others(quad: Quad, salt: int) -> list[tuple[str, tuple[Statement, ...]]]:
    """Return nine passages of other things of the domain, near misses among them."""
    rng = Random(f"worlds:{quad.seed}:{quad.index}:others:{salt}")
    taken = {word for cell in quad.cells for word in _CAPITAL.findall(cell.text.text)}
    names = Names(rng, taken)
    found = []
    for number in range(TEN - 1):
        scene = new_scene(rng, pack(quad.domain), quad.relation, names)
        blocks = distractors(scene, rng.randint(*_FACTS))
        if number % 3 == 2:
            # noise: nothing of the asked relation
            blocks = [
                one
                for one in blocks
                if quad.relation.name not in {getattr(said, "relation", "") for said in one.statements}
            ]
        blocks += idle(scene, blocks)
        rng.shuffle(blocks)
        said = tuple(one for each in blocks for one in each.statements)
        found.append((passage(blocks, rng.choice(REGISTERS), scene.pack, rng), said))
    return found


def _check(quad: Quad, place: int, statements: Sequence[Statement]) -> None:
    cell = quad.cells[place]
    found = solve(statements, cell.question.ask, pack(quad.domain).ontology)
    if found != cell.solved:
        raise Impure(f"ten passages: {found.label} {found.answer}")
