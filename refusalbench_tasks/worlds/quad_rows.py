"""Rows of quads, in the released layouts of NQ (one passage) and GaRAGe (ten)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity

from .document import DOCUMENTS, OPINIONS, known_domains
from .quad import CROSSED, HARD, VERSION, Cell, Quad, make_quad
from .solve import solve
from .statement import Statement
from .ten_passages import ten_passages
from .values import aliases

Layout = Literal["context", "grounding", "hard"]
"""One passage, ten, or ten of which the one that answers takes two steps."""
Columns = dict[str, Any]
CELLS = 4
"""Rows of a quad."""
_quad = lru_cache(maxsize=4)(make_quad)


def version_of(layout: Layout) -> str:
    """Return what the ids of the rows of a layout begin with."""
    return f"{VERSION}H" if layout == "hard" else VERSION


def row(
    seed: int,
    index: int,
    domains: Sequence[str] = DOCUMENTS,
    layout: Layout = "context",
) -> Columns:
    """Return row `index` of a seed, in the released layout; it depends on no other row.

    Rows 4k to 4k + 3 are one quad. Raises DataError for an unknown domain or a negative
    index.
    """
    if index < 0:
        raise DataError(f"worlds: rows are numbered from 0, not {index}")
    quad = _quad(
        seed,
        index // CELLS,
        known_domains(domains),
        HARD if layout == "hard" else CROSSED,
    )
    position = index % CELLS
    columns = _one_passage if layout == "context" else _ten_passages
    return {
        **_shared(quad, position, version_of(layout)),
        **columns(quad, position),
        # how hard a row is apart from whether it has an answer
        "knobs": {
            "hops": 1 + quad.setting.handles,
            "bystanders": len(quad.world.names) - 2,
            "handle": "yes" if quad.setting.handles else "no",
            "layout": quad.setting.layout,
            "words": len(quad.cells[position].passage.text.split()),
        },
    }


def quad_rows(
    seed: int,
    start: int,
    stop: int,
    domains: Sequence[str] = DOCUMENTS,
    layout: Layout = "context",
) -> Iterator[Columns]:
    """Yield rows `start` to `stop` (not included) of a seed; errors as in `row`."""
    return (
        row(
            seed,
            index,
            domains,
            layout,
        )
        for index in range(start, stop)
    )


def _one_passage(quad: Quad, position: int) -> Columns:
    cell = quad.cells[position]
    columns = {
        "original_query": None,
        "perturbed_query": cell.question,
        "original_context": None,
        "perturbed_context": cell.passage.text,
    }
    if _answers_alike(quad, position, cell.original.statements):
        columns["original_query"] = cell.question
        columns["original_context"] = cell.original.text
    return columns


def _ten_passages(quad: Quad, position: int) -> Columns:
    cell = quad.cells[position]
    ten, original = ten_passages(quad, position)
    if solve(ten.statements, cell.ask) != cell.solved:
        raise AssertionError(
            f"{quad.seed}.{quad.index}.{position}: the other passages change the label"
        )
    columns: Columns = {
        "original_query": None,
        "query": cell.question,
        "grounding": [{"text": text} for text in ten.passages],
        "original_grounding": None,
        "signal_indices": [ten.signal],
    }
    if _answers_alike(quad, position, original.statements):
        columns["original_query"] = cell.question
        columns["original_grounding"] = list(original.passages)
    return columns


def _answers_alike(
    quad: Quad,
    position: int,
    original: Sequence[Statement],
) -> bool:
    """Return whether the row's question has the row's gold answer in its original: else
    it has none.
    """
    ask = quad.cells[position].ask
    answerable = _answerable(quad, position).solved
    return ask.kind != "opinion" and solve(original, ask) == answerable


def _shared(
    quad: Quad,
    position: int,
    version: str,
) -> Columns:
    cell = quad.cells[position]
    # the gold answer is that of the row of the pair which has one
    answer = _answerable(quad, position).solved.answer
    assert answer is not None
    base = f"{version}.{quad.seed}.{quad.index}"
    return {
        "id": f"{base}.{position}",
        "source_id": base,
        "pair_id": f"{base}.{position // 2}",
        "generator_model": "worlds",
        "perturbation_class": quad.defect.perturbation.value,
        "intensity": cell.intensity.value,
        "expected_rag_behavior": cell.solved.label.value,
        "lever_selected": cell.lever,
        "original_answers": aliases(answer),
        "answer_type": answer.type,
        "question_type": cell.ask.kind,
        "domain": OPINIONS if quad.defect.is_opinion else quad.world.document.name,
        "intrinsic": quad.defect.is_opinion,
        "logical_form": repr(cell.ask),
        "evidence": list(cell.passage.lines[cell.ask.name]),
    }


def _answerable(quad: Quad, position: int) -> Cell:
    first = position - position % 2
    pair = quad.cells[first : first + 2]
    return next(cell for cell in pair if cell.intensity is Intensity.LOW)
