"""The second proof of a quad: what its text alone says must agree with what it was made from."""

from collections.abc import Sequence
from functools import lru_cache

from refusalbench_tasks.worlds.pack import DOMAINS
from refusalbench_tasks.worlds.quad import Cell, Quad, make_quad
from refusalbench_tasks.worlds.reader import Unreadable, derive
from refusalbench_tasks.worlds.solve import Impure

TRIES = 8
"""How many draws of a quad the reader is shown before the quad counts as one that it can't read."""


class Disagreement(ValueError):
    """A row whose text, read back, does not have the label or answer that it was made with."""


class Unread(Disagreement):
    """A row of which the reader can't parse a sentence or the question: neither proven nor disproven."""


def prove(quad: Quad) -> None:
    """Read every row of a quad back.

    Raises Disagreement naming quad, cell and both results; Unread, which is one, if the reader can't parse a row.
    """
    for number, cell in enumerate(quad.cells):
        due = f"{cell.solved.label.value} {cell.solved.answer or ''}".strip()
        told = (
            f"quad {quad.index} of seed {quad.seed}, cell {number}, {cell.lever.perturbation.value} "
            f"{cell.lever.intensity.value} '{cell.lever.name}': made as {due}, read as"
        )
        try:
            found = _derived(quad.domain, cell)
        except (Unreadable, Impure) as error:
            raise Unread(f"{told} unreadable: {error}") from None
        if found != due:
            raise Disagreement(f"{told} {found}")


@lru_cache(maxsize=8)
def proven_quad(seed: int, index: int, domains: Sequence[str] = DOMAINS) -> Quad:
    """Return quad `index` of a seed, proven; it depends on nothing else.

    A draw that the reader can't parse is put aside, and the quad is drawn again. Raises Disagreement if the reader
    finds another label or answer: one of the two is wrong then, and nothing is passed over. Unread after TRIES draws.
    """
    for attempt in range(TRIES):
        quad = make_quad(seed, index, tuple(domains), attempt)
        try:
            prove(quad)
        except Unread:
            if attempt == TRIES - 1:
                raise
        else:
            return quad
    raise AssertionError("the last attempt returns or raises")


def _derived(domain: str, cell: Cell) -> str:
    found = derive(domain, (cell.text.text,), cell.question.text)
    return f"{found.label.value} {found.answer or ''}".strip()
