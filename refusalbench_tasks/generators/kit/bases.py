"""Base questions: the unperturbed items that a plan starts from."""

import logging
from typing import Any

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS, NO_ORIGINAL, layout_of
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.rows import BUNDLED_LICENCE, Row, read_rows
from refusalbench_tasks.errors import DataError

logger = logging.getLogger(__name__)

SAMPLES = {f"{benchmark.task}_sample": benchmark for benchmark in BENCHMARKS}


def load_bases(path: str) -> list[RefusalItem]:
    """Return the base questions of a file: its clean rows, and the originals of its perturbed ones, each once.

    `nq_sample` and `garage_sample` are the originals of the bundled rows. Raises DataError for bad rows and if
    there is no unperturbed question.
    """
    rows = _rows(path)
    layout = layout_of(rows)
    items = layout.items_of(rows)
    originals, without = layout.originals_of(rows, items)
    if without:
        logger.warning("%s: %d of %d rows left out: %s", path, len(without), len(rows), NO_ORIGINAL)
    clean = [item for item in items if item.is_clean] + originals
    distinct = {(item.query, item.passages): item for item in reversed(clean)}
    if not distinct:
        raise DataError(f"{path}: no unperturbed questions; prepare a file with `refusalbench bases`")
    return sorted(distinct.values(), key=lambda item: item.item_id)


def base_licence(path: str) -> str:
    """Return the licences that the rows of a base file state, or `not stated`; Apache-2.0 for the bundled rows."""
    if path in SAMPLES:
        return BUNDLED_LICENCE
    return ", ".join(sorted({str(row.values.get("licence") or "not stated") for row in _rows(path)}))


def _rows(path: str) -> list[Row]:
    if path in SAMPLES:
        return SAMPLES[path].sample_rows()
    return read_rows(path, "bases", f"{', '.join(map(repr, SAMPLES))} or")


def base_row(item: RefusalItem) -> dict[str, Any]:
    """Return a base question as a row that `nq` or `garage` and `load_bases` read: an unperturbed control."""
    row: dict[str, Any] = {
        "id": item.item_id,
        "source_id": item.source_id,
        "query": item.query,
        "intensity": "CLEAN",
        "expected_rag_behavior": "ANSWER_CORRECTLY",
    }
    if len(item.passages) == 1:
        return row | {"context": item.passages[0], "answers": list(item.answers)}
    return row | {
        "grounding": list(item.passages),
        "signal_indices": list(item.signal),
        "reference_answer": item.reference,
        "answers": list(item.answers),
        "domain": item.domain,
        "question_type": item.question_type,
        "question_complexity": item.question_complexity,
    }
