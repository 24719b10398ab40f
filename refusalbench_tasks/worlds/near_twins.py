"""The documents of a quad's world for a corpus that is searched: its passages without
defects, and near twins that change no row.
"""

from collections.abc import Sequence
from random import Random

from refusalbench_tasks.datasets.worlds import WorldDocuments

from .document import read_yaml
from .quad import VERSION, Cell, make_quad
from .rendering import fill_slots
from .solve import Impure, solve
from .statement import Statement
from .ten_passages import noise_passages

INQUIRED = 0.5
"""How often a question has an inquiry: with one for each, the first search for a
question's own words would seldom show its document, and with none nearly always.
"""


def documents_of(
    seed: int,
    index: int,
    domains: tuple[str, ...],
) -> WorldDocuments:
    """Return the documents of quad `index` of a seed."""
    quad = make_quad(seed, index, domains)
    rng = Random(f"{VERSION}:corpus:{seed}:{index}")
    cells = quad.cells
    originals = dict.fromkeys(cell.original.text for cell in cells)
    asked: dict[str, None] = {}
    for cell in cells:
        asked |= dict.fromkeys(filter(None, (cell.ask.name, cell.ask.other)))
    # those on the same things leave every row its answer, or its want of one, by the
    # solver: beside its passage all of them are in the corpus
    others = []
    stated: list[Statement] = []
    for passage in noise_passages(quad, 0, rng):
        beside = [*stated, *passage.statements]
        if all(_unchanged(cell, beside) for cell in cells):
            stated = beside
            others.append(passage.text)
    # and some hold a question of the quad and state nothing
    frames = read_yaml("inquiries")
    for question in dict.fromkeys(cell.question for cell in cells):
        if rng.random() < INQUIRED:
            number = rng.randint(2, 98)
            others.append(fill_slots(rng.choice(frames), q=question, n=number))
    return WorldDocuments(
        f"{VERSION}.{seed}.{index}",
        tuple(originals),
        tuple(others),
        tuple(asked),
    )


def _unchanged(cell: Cell, beside: Sequence[Statement]) -> bool:
    try:
        return solve([*cell.passage.statements, *beside], cell.ask) == cell.solved
    except Impure:
        return False
