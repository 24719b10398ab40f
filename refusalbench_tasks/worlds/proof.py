"""The second proof of a quad: what its text alone says must agree with what it was made from."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.pack import DOMAINS
from refusalbench_tasks.worlds.quad import Quad, make_quad
from refusalbench_tasks.worlds.reader import Unreadable, derive
from refusalbench_tasks.worlds.solve import Impure, Solved
from refusalbench_tasks.worlds.turn import NoQuad

TRIES = 8
"""How many draws of a quad the reader is shown before the quad counts as one that it can't read."""


class Disagreement(ValueError):
    """A row whose text, read back, does not have the label or answer that it was made with."""


class Unread(Disagreement):
    """A row of which the reader can't parse a sentence or the question: neither proven nor disproven."""


@contextmanager
def one_line() -> Iterator[None]:
    """Turn what keeps a row from being made into a DataError of one line, for those who asked for rows."""
    try:
        yield
    except Unread as error:
        raise DataError(f"worlds: not proven, so not written: {line_of(error)}; use another range or seed") from error
    except Disagreement as error:
        told = "solver and reader disagree, so nothing is written, and one of them is wrong; please report this row"
        raise DataError(f"worlds: {told}: {line_of(error)}") from error
    except NoQuad as error:
        raise DataError(f"worlds: {line_of(error)}; use another seed, or more domains") from error


def line_of(error: Exception) -> str:
    """Return the message of an error as one line."""
    return " ".join(str(error).split())


def prove(quad: Quad) -> None:
    """Read every row of a quad back; errors as in `prove_row`."""
    for place, cell in enumerate(quad.cells):
        prove_row(quad, place, (cell.text.text,))


def prove_row(quad: Quad, place: int, passages: Sequence[str]) -> None:
    """Read one of the four rows of a quad back from the passages that it is shown with.

    Raises Disagreement naming quad, cell and both results; Unread, which is one, if the reader can't parse a row.
    """
    cell = quad.cells[place]
    due = _written(cell.solved)
    told = (
        f"quad {quad.index} of seed {quad.seed}, cell {place}, {cell.lever.perturbation.value} "
        f"{cell.lever.intensity.value} '{cell.lever.name}': made as {due}, read as"
    )
    try:
        found = _written(derive(quad.domain, passages, cell.question.text))
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


def _written(found: Solved) -> str:
    return f"{found.label.value} {found.answer or ''}".strip()
