"""Items that say nearly the same as another one although their labels differ."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from refusalbench_tasks.generators.generation_logs import Generated

GRAM = 5
NEAR = 0.5
"""The Jaccard similarity of two items' changes from which on they are near-duplicates (ours).

Of two bundled rows with different labels none reaches 0.33; one word more or less in a changed sentence of twelve words
leaves 0.5 and more.
"""
_STEP = 2000
Grams = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Near:
    """Two items whose changes are nearly the same although their labels differ, and how similar these are."""

    one: Generated
    other: Generated
    similarity: float


def near_duplicates(items: Sequence[Generated], near: float = NEAR) -> list[Near]:
    """Return each two items whose changes are nearly the same and whose labels differ.

    Items of one base share most of their text, so that whole texts are alike by nature (ten passages: by more than
    0.9). What is compared is what an item changed: the word 5-grams that it has beside its original, and those of the
    original that it lacks. The similarity is exact, where MinHash would estimate it: one sparse product gives it.
    """
    return [
        Near(items[one], items[other], similarity)
        for one, other, similarity in _similar([changed_grams(item) for item in items], near)
        if items[one].slot.expected != items[other].slot.expected
    ]


def changed_grams(item: Generated) -> Grams:
    """Return the word 5-grams that an item adds to its original (`+`) and those that it takes away (`-`).

    Empty if it differs from its original in no word.
    """
    candidate, base = item.candidate, item.slot.base
    assert candidate is not None
    pairs = zip((base.query, *base.passages), (candidate.query, *candidate.passages), strict=True)
    changed = [(old, new) for old, new in pairs if old != new]
    before, after = _grams([old for old, _ in changed]), _grams([new for _, new in changed])
    return frozenset({("+", *gram) for gram in after - before} | {("-", *gram) for gram in before - after})


def words_of(text: str) -> list[str]:
    """Return the words of a text, without case and punctuation."""
    return re.findall(r"\w+", text.casefold())


def _grams(texts: Sequence[str]) -> Grams:
    words = [words_of(text) for text in texts]
    return frozenset(tuple(own[k : k + GRAM]) for own in words for k in range(max(1, len(own) - GRAM + 1)))


def _similar(sets: Sequence[Grams], near: float) -> Iterator[tuple[int, int, float]]:
    """Return each two positions whose sets have at least this Jaccard similarity, above 0, and the similarity."""
    known: dict[tuple[str, ...], int] = {}
    columns = [known.setdefault(gram, len(known)) for own in sets for gram in own]
    sizes = np.array([len(own) for own in sets], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    table = csr_array((np.ones(len(columns), np.int32), columns, starts), shape=(len(sets), max(1, len(known))))
    for start in range(0, len(sets), _STEP):
        shared = (table[start : start + _STEP] @ table.T).tocoo()
        rows = shared.row + start
        similar = shared.data / (sizes[rows] + sizes[shared.col] - shared.data)
        for k in np.flatnonzero((rows < shared.col) & (similar >= near)):
            yield int(rows[k]), int(shared.col[k]), float(similar[k])
