"""Rows of quads, in the released layout of NQ."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity, Label
from refusalbench_tasks.worlds.difficulty import knobs
from refusalbench_tasks.worlds.pack import DOMAINS, pack
from refusalbench_tasks.worlds.proof import proven_quad
from refusalbench_tasks.worlds.quad import Cell, Quad
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.statement import Alias, Either, Names, Statement
from refusalbench_tasks.worlds.ten import ten_passages
from refusalbench_tasks.worlds.values import Value, written

VERSION = "RBW7"
"""The version of the items: the same seed and index give the same row as long as it stands."""
Layout: TypeAlias = Literal["context", "grounding"]
"""One passage, or ten."""
CELLS = 4
"""Rows of a quad."""


def row(seed: int, index: int, domains: Sequence[str] = DOMAINS, layout: Layout = "context") -> dict[str, Any]:
    """Return row `index` of a seed, in the released layout; it depends on no other row.

    Rows 4k to 4k + 3 are one quad. Raises DataError for an unknown domain or a negative index.
    """
    if index < 0:
        raise DataError(f"worlds: rows are numbered from 0, not {index}")
    quad = proven_quad(seed, index // CELLS, known_domains(domains))
    return as_row(quad, index % CELLS, layout)


def rows(
    seed: int, start: int, stop: int, domains: Sequence[str] = DOMAINS, layout: Layout = "context"
) -> Iterator[dict[str, Any]]:
    """Yield rows `start` to `stop` (not included) of a seed; errors as in `row`."""
    return (row(seed, index, domains, layout) for index in range(start, stop))


def known_domains(domains: Sequence[str]) -> tuple[str, ...]:
    """Return the domains, in the house's order. Raises DataError for an unknown one, and for none."""
    unknown = [name for name in domains if name not in DOMAINS]
    if unknown or not domains:
        raise DataError(f"domains: unknown '{', '.join(unknown)}'; known: {', '.join(DOMAINS)}")
    return tuple(name for name in DOMAINS if name in domains)


def as_row(quad: Quad, place: int, layout: Layout = "context", proven: bool = True) -> dict[str, Any]:
    """Return one of the four rows of a quad, with one passage (`context`, as NQ) or ten (`grounding`, as GaRAGe).

    The ten are drawn here, and `proven` says whether the reader is to read them. The one passage is that of the quad.
    """
    shown = _one_passage(quad, place) if layout == "context" else _ten(quad, place, proven)
    return _shared(quad, place) | shown


def _one_passage(quad: Quad, place: int) -> dict[str, Any]:
    cell = quad.cells[place]
    original = cell.original if answers_alike(quad, place, cell.original.statements) else None
    return {
        "original_query": cell.plain if original else None,
        "perturbed_query": cell.question.text,
        "original_context": original.text if original else None,
        "perturbed_context": cell.text.text,
    }


def _ten(quad: Quad, place: int, proven: bool) -> dict[str, Any]:
    cell, ten = quad.cells[place], ten_passages(quad, place, proven)
    # a passage that is cut into another number has other signal positions than the row states
    alike = ten.original.signal == ten.row.signal and answers_alike(quad, place, ten.original.statements)
    original = ten.original if alike else None
    return {
        "original_query": cell.plain if original else None,
        "query": cell.question.text,
        "grounding": [{"text": text} for text in ten.row.passages],
        "original_grounding": list(original.passages) if original else None,
        "signal_indices": list(ten.row.signal),
    }


def answers_alike(quad: Quad, place: int, original: Sequence[Statement]) -> bool:
    """Return whether the clean original of a row answers its question with the row's gold.

    A few levers change what is asked for, or their original states another value: such an original is no control.
    """
    answerable = _answerable(quad, place)
    try:
        # an original is asked the question of the answerable row, before a lever changed its words
        found = solve(original, answerable.question.ask, pack(quad.domain).ontology)
    except Impure:
        return False
    return found == Solved(Label.ANSWER, answer_of(quad, place))


def _shared(quad: Quad, place: int) -> dict[str, Any]:
    cell = quad.cells[place]
    answers = [*aliases(answer_of(quad, place)), *_other_names(quad, place)]
    base = f"{VERSION}.{quad.seed}.{quad.index}"
    return {
        "id": f"{base}.{place}",
        "source_id": base,
        "pair_id": f"{base}.{place // 2}",
        "generator_model": "worlds",
        "perturbation_class": cell.lever.perturbation.value,
        "intensity": cell.lever.intensity.value,
        "expected_rag_behavior": cell.solved.label.value,
        "lever_selected": cell.lever.name,
        "original_answers": answers,
        "answer_type": answer_of(quad, place).type,
        "question_type": cell.question.ask.operator,
        "domain": quad.domain,
        "intrinsic": any(one.lever.intrinsic for one in quad.cells),
        "logical_form": repr(cell.question.ask),
        "evidence": evidence(cell),
        "knobs": knobs(quad, cell),
    }


def answer_of(quad: Quad, place: int) -> Value:
    """Return the gold answer to the question of a row: that of the row of the quad in which it has one."""
    answer = _answerable(quad, place).solved.answer
    assert answer is not None
    return answer


def aliases(answer: Value) -> list[str]:
    """Return the ways to write an answer that a comparison of strings should know."""
    found = [written(answer)]
    if answer.unit:
        found.append(str(answer.content))
    return found


def _other_names(quad: Quad, place: int) -> list[str]:
    """Return the other names that the answerable passage gives to the answer."""
    answer = str(answer_of(quad, place))
    said = _answerable(quad, place).text.statements
    return [one.name for one in said if isinstance(one, Alias) and one.of == answer]


def evidence(cell: Cell) -> list[str]:
    """Return the sentences of the passage that speak of the relation and the things that are asked about."""
    wanted = set(cell.question.ask.subjects)
    return [
        sentence.text
        for one in cell.text.blocks
        for sentence in one.sentences
        if any(_subjects(said) & wanted for said in sentence.statements)
    ]


def _subjects(said: Statement) -> set[Names]:
    if isinstance(said, Either):
        return {fact.subject for way in said.readings for fact in way}
    return {getattr(said, "subject", "")}


def _answerable(quad: Quad, place: int) -> Cell:
    pair = quad.cells[place - place % 2 : place - place % 2 + 2]
    return next(cell for cell in pair if cell.lever.intensity is Intensity.LOW)
