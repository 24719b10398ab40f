"""Ten passages for a row: those that bear on the question, near misses of sibling things, and noise."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random

from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.company import distractors, idle
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import Relation, pack
from refusalbench_tasks.worlds.passage import REGISTERS, passage
from refusalbench_tasks.worlds.proof import Unread, prove_row
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.scene import new_scene
from refusalbench_tasks.worlds.solve import Impure, solve
from refusalbench_tasks.worlds.statement import Statement
from refusalbench_tasks.worlds.text import Text

TEN = 10
MOST_SIGNAL = 3
_CAPITAL = re.compile(r"\b[A-Z][a-z]+")
_FACTS = (4, 12)
TRIES = 10
"""How many draws of ten passages are tried."""


@dataclass(frozen=True)
class Ten:
    """Ten passages, the positions of those that bear on the question, and what all of them state."""

    passages: tuple[str, ...]
    signal: tuple[int, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Pair:
    """The ten passages of a row, and of its clean original: the same draw, so they differ by the lever alone."""

    row: Ten
    original: Ten


def ten_passages(quad: Quad, place: int, proven: bool = True) -> Pair:
    """Return the ten passages of one of the four rows of a quad and those of its clean original.

    The row's passage is cut into one to three; the others are the same in all four rows and speak of other things of
    the same kind. Positions are drawn, alike for the row and its original. Ten passages that solver or reader can't
    take together are drawn anew; the reader is not asked unless they are to be `proven`. Raises Unread after TRIES
    draws, and Disagreement if the reader finds another label or answer.
    """
    for salt in range(TRIES):
        row = _drawn(quad, place, quad.cells[place].text, salt)
        try:
            _check(quad, place, row, proven)
        except (Impure, Unread) as error:
            if salt == TRIES - 1:
                raise Unread(f"ten passages: {error}") from None
        else:
            return Pair(row, _drawn(quad, place, quad.cells[place].original, salt))
    raise AssertionError("the last try returns or raises")


def _check(quad: Quad, place: int, ten: Ten, proven: bool) -> None:
    """Raise Impure if the solver gives ten passages another label than the one passage; errors of `prove_row` too."""
    cell = quad.cells[place]
    found = solve(ten.statements, cell.question.ask, pack(quad.domain).ontology)
    if found != cell.solved:
        raise Impure(f"{found.label} {found.answer}")
    if proven:
        prove_row(quad, place, ten.passages)


def _drawn(quad: Quad, place: int, text: Text, salt: int) -> Ten:
    rng = Random(f"worlds:{quad.seed}:{quad.index}:{place}:ten:{salt}")
    pieces = _cut(quad, text.blocks, Random(f"worlds:{quad.seed}:{quad.index}:{place // 2}:cut"))
    taken = frozenset(word for cell in quad.cells for word in _CAPITAL.findall(cell.text.text))
    others = _others(quad.domain, quad.relation, f"worlds:{quad.seed}:{quad.index}:others:{salt}", taken)
    order = list(range(TEN))
    rng.shuffle(order)
    texts = [*(piece for piece, _ in pieces), *(other for other, _ in others)][:TEN]
    statements = [*text.statements, *(one for _, said in others[: TEN - len(pieces)] for one in said)]
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


@lru_cache(maxsize=16)
def _others(
    domain: str, relation: Relation, seed: str, taken: frozenset[str]
) -> tuple[tuple[str, tuple[Statement, ...]], ...]:
    """Return nine passages of other things of a domain, near misses among them; a quad's rows ask for the same nine."""
    rng = Random(seed)
    names = Names(rng, taken)
    found = []
    for number in range(TEN - 1):
        scene = new_scene(rng, pack(domain), relation, names)
        blocks = distractors(scene, rng.randint(*_FACTS))
        if number % 3 == 2:
            # noise: nothing of the asked relation
            blocks = [
                one for one in blocks if relation.name not in {getattr(said, "relation", "") for said in one.statements}
            ]
        register = rng.choice(REGISTERS)
        blocks += idle(scene, blocks, register)
        rng.shuffle(blocks)
        said = tuple(one for each in blocks for one in each.statements)
        found.append((passage(blocks, register, scene.pack, rng), said))
    return tuple(found)
