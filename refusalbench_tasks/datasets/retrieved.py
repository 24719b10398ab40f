"""The passages that an application itself saw for a sample: recorded by its solver, read by the scorers."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.retrieval import as_seen, retrieval_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import well_formed

STORED = "refusalbench_retrieved"
"""The key of the passages in a sample's store. The log keeps the store, so a log scored again is scored by them."""


def record_retrieved(state: TaskState, passages: Sequence[str]) -> None:
    """Record the passages that an application saw for a sample, the first one first; none are a fact too.

    From then on scorers and judge see these instead of the row's own.
    """
    state.store.set(STORED, [well_formed(passage) for passage in passages])


def retrieved_of(state: TaskState) -> tuple[str, ...] | None:
    """Return the recorded passages; None if none were recorded, so that the row's own were seen.

    Raises DataError if something else lies in their place.
    """
    stored = state.store.get(STORED)
    if stored is None:
        return None
    if not isinstance(stored, list) or not all(isinstance(passage, str) for passage in stored):
        raise DataError(f"{state.sample_id}: '{STORED}' in the sample's store is no list of texts")
    return tuple(stored)


def seen_item(state: TaskState) -> RefusalItem:
    """Return a sample's row as the reply's author saw it: with the retrieved passages, if any were recorded."""
    item, retrieved = state.metadata_as(RefusalItem), retrieved_of(state)
    return item if retrieved is None else as_seen(item, retrieved)


def retrieval_notes(state: TaskState) -> dict[str, Any]:
    """Return what a score notes of a sample's retrieval: `seen_notes`, and whether the gold passage was retrieved.

    `gold_retrieved` is True, False, or None if unknown. Empty if no passages were recorded.
    """
    retrieved = retrieved_of(state)
    if retrieved is None:
        return {}
    return seen_notes(state) | {"gold_retrieved": retrieval_of(state.metadata_as(RefusalItem), retrieved).hit}


def seen_notes(state: TaskState) -> dict[str, Any]:
    """Return that the passages seen were retrieved ones, and their number; empty if none were recorded."""
    retrieved = retrieved_of(state)
    return {} if retrieved is None else {"passages_seen": "retrieved", "retrieved_k": len(retrieved)}
