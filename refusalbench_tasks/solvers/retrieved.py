"""The passages that an application itself retrieved for a sample: recorded by its
solver, read by the scorers.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from inspect_ai.solver import TaskState

from refusalbench_tasks.corpus.words import word_runs
from refusalbench_tasks.datasets.fields import entries_in
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.replies.outside_text import well_formed_values

STORED = "refusalbench_retrieved"
"""The key of the passages in a sample's store: texts, or the `PARTS` of those that tell
more.

The log keeps the store, so a log scored again is scored by them.
"""
PARTS = ("text", "source", "id", "valid_until")
"""What is kept of a passage: its text, names of its document, and the last day on which
it holds.
"""
SEARCH_ADDRESS = "refusalbench:search_address"
"""The key in a sample's store of the address at which an application may search, in
runs of `search` with `mcp`.
"""
GRAM = 5
"""Words of the sequences by which texts are compared."""
NEAR = 0.5
"""The share of a passage's word sequences that a text must have to hold it."""
_FOLLOWS = frozenset({"yes", "no", "true", "false"})
"""Answers that follow from a text: that their word stands in it says nothing."""


def passages_in(values: object) -> list[dict[str, str]]:
    """Return the `PARTS` of the passages in a list of texts, or of objects that tell
    them; blank passages are left out.

    Raises ValueError, of one line, for what has no text, and for a day that is none.
    """
    passages = []
    for value in entries_in(values):
        parts = value if isinstance(value, dict) else {"text": value}
        if not isinstance(parts.get("text"), str):
            raise DataError("expected passages: texts, or objects with a text 'text'")
        if parts.get("valid_until"):
            date.fromisoformat(str(parts["valid_until"])[:10])
        if parts["text"].strip():
            passages.append(
                {name: str(parts[name]) for name in PARTS if parts.get(name)}
            )
    return passages


def record_retrieved(state: TaskState, passages: Sequence[object]) -> None:
    """Record the passages that an application saw for a sample, the first one first;
    none are a fact too.

    From then on scorers and judge see these instead of the row's own. Raises ValueError
    for what are no passages (`passages_in`).
    """
    entries = passages_in(passages)
    stored = [entry if len(entry) > 1 else entry["text"] for entry in entries]
    state.store.set(STORED, well_formed_values(stored))


def retrieved_of(state: TaskState) -> tuple[str, ...] | None:
    """Return the recorded passages; None if none were recorded, so that the row's own
    were seen.
    """
    stored = state.store.get(STORED)
    if stored is None:
        return None
    return tuple(passage["text"] for passage in passages_in(stored))


def seen_item(state: TaskState) -> RefusalItem:
    """Return a sample's row as the reply's author saw it: with the retrieved passages,
    if any were recorded.
    """
    item = state.metadata_as(RefusalItem)
    retrieved = retrieved_of(state)
    return item if retrieved is None else as_seen(item, retrieved)


def retrieval_notes(state: TaskState) -> dict[str, Any]:
    """Return what a score notes of a sample's retrieval: `seen_notes`, and whether the
    gold passage was retrieved.

    `gold_retrieved` is True, False, or None if unknown. Empty if no passages were
    recorded.
    """
    retrieved = retrieved_of(state)
    if retrieved is None:
        return {}
    relevant = relevant_in(state.metadata_as(RefusalItem), retrieved)
    gold_retrieved = None if relevant is None else bool(relevant)
    return seen_notes(state) | {"gold_retrieved": gold_retrieved}


def seen_notes(state: TaskState) -> dict[str, Any]:
    """Return that the passages seen were retrieved ones, and their number; empty if
    none were recorded.
    """
    retrieved = retrieved_of(state)
    if retrieved is None:
        return {}
    return {"passages_seen": "retrieved", "retrieved_k": len(retrieved)}


def as_seen(item: RefusalItem, retrieved: Sequence[str]) -> RefusalItem:
    """Return the row with the passages that the application saw in place of its own.

    Its signal is then the relevant ones. Where nothing tells which are relevant, all of
    them are.
    """
    relevant = relevant_in(item, retrieved)
    signal = tuple(range(len(retrieved))) if relevant is None else relevant
    # not validated again: an application may have retrieved nothing, which a row of a
    # data set cannot have
    return item.model_copy(update={"passages": tuple(retrieved), "signal": signal})


def relevant_in(item: RefusalItem, retrieved: Sequence[str]) -> tuple[int, ...] | None:
    """Return the positions, from 0, of the retrieved passages that are or hold what the
    answer rests on.

    Our definition: a passage is relevant if it holds a gold passage (`holds`) or, on an
    answerable row, if the tokens of a gold alias stand in it, one after the other
    (DPR's `has_answer`). None without gold passages and aliases: then nothing can be
    told.
    """
    gold = gold_passages(item)
    aliases: list[str] = []
    for answer in item.answers if item.answerable else ():
        tokens = answer_tokens(answer)
        if not set(tokens) <= _FOLLOWS:
            aliases.append(f" {' '.join(tokens)} ")
    if not gold and not aliases:
        return None
    relevant = []
    for position, text in enumerate(retrieved):
        spaced = f" {' '.join(answer_tokens(text))} "
        names_answer = any(alias in spaced for alias in aliases)
        if names_answer or any(holds(text, passage) for passage in gold):
            relevant.append(position)
    return tuple(relevant)


def gold_passages(item: RefusalItem) -> tuple[str, ...]:
    """Return the passages that the row's answer rests on: those of its `signal`, or its
    only one; else none.
    """
    if item.signal:
        return tuple(item.passages[position] for position in item.signal)
    return item.passages if len(item.passages) == 1 else ()


def holds(text: str, passage: str) -> bool:
    """Return whether a text holds a passage: at least `NEAR` of the passage's distinct
    word 5-grams stand in it.

    A piece of a passage may lack the answer, so it does not hold it. Case and
    punctuation do not count. False for a passage without a word.
    """
    wanted = _words(passage)
    size = min(GRAM, len(wanted))
    grams = word_runs(wanted, size)
    shared = grams & word_runs(_words(text), size)
    return bool(wanted) and len(shared) >= NEAR * len(grams)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
