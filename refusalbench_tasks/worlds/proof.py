"""The second proof of a quad: what its text alone says must agree with what it was made from."""

from refusalbench_tasks.worlds.quad import Cell, Quad
from refusalbench_tasks.worlds.reader import Unreadable, derive
from refusalbench_tasks.worlds.solve import Impure


class Disagreement(ValueError):
    """A row whose text, read back, does not have the label or answer that it was made with."""


def prove(quad: Quad) -> None:
    """Read every row of a quad back. Raises Disagreement naming quad, cell and both results."""
    for number, cell in enumerate(quad.cells):
        found = _derived(quad.domain, cell)
        due = f"{cell.solved.label.value} {cell.solved.answer or ''}".strip()
        if found != due:
            raise Disagreement(
                f"quad {quad.index} of seed {quad.seed}, cell {number}, {cell.lever.perturbation.value} "
                f"{cell.lever.intensity.value} '{cell.lever.name}': made as {due}, read as {found}"
            )


def _derived(domain: str, cell: Cell) -> str:
    try:
        found = derive(domain, (cell.text.text,), cell.question.text)
    except (Unreadable, Impure) as error:
        return f"unreadable: {error}"
    return f"{found.label.value} {found.answer or ''}".strip()
