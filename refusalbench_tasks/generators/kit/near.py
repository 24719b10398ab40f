"""Near duplicates among passages: MinHash finds candidates, the exact similarity decides."""

from collections.abc import Callable
from typing import Any

import numpy as np

from refusalbench_tasks.generators.kit.search import library, tokens_of

GRAM = 5
NEAR = 0.8
"""The Jaccard similarity of two passages' word 5-grams from which on they are near duplicates."""
BANDS, ROWS = 25, 5
"""Passages with a similarity of 0.8 share a band with probability 1 - (1 - 0.8^5)^25 = 0.99995."""
Signature = bytes
Grams = frozenset[tuple[str, ...]]


def grams(text: str) -> Grams:
    """Return the 5-grams of a text's words; of a shorter text all its words as one."""
    words = tokens_of(text)
    return frozenset(tuple(words[k : k + GRAM]) for k in range(max(1, len(words) - GRAM + 1)))


def similarity(one: str, other: str) -> float:
    """Return the Jaccard similarity of two texts' 5-grams, from 0 to 1."""
    first, second = grams(one), grams(other)
    return len(first & second) / len(first | second)


def signature(text: str) -> Signature:
    """Return the MinHash signature of a text (datasketch, seed 1): the same bytes for the same words, anywhere."""
    made = library("datasketch").MinHash(num_perm=BANDS * ROWS)
    made.update_batch(["\x1f".join(gram).encode() for gram in grams(text)])
    return bytes(np.asarray(made.hashvalues, dtype=np.uint32).tobytes())


class Folding:
    """The passages that were kept so far, by place, and the one that a new passage repeats.

    `text_at` returns the text of a kept passage: texts are not held here.
    """

    def __init__(self, text_at: Callable[[int], str], near: float = NEAR) -> None:
        self._text_at, self._near = text_at, near
        self._library = library("datasketch")
        self._kept: Any = self._library.MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))

    def original(self, place: int, text: str, known: Signature) -> int | None:
        """Return the place of the first kept passage that a passage repeats; None, and it is kept, if none does."""
        sketch = self._library.MinHash(num_perm=BANDS * ROWS)
        sketch.hashvalues = np.frombuffer(known, dtype=np.uint32).astype(sketch.hashvalues.dtype)
        for candidate in sorted(self._kept.query(sketch)):
            if similarity(text, self._text_at(candidate)) >= self._near:
                return int(candidate)
        self._kept.insert(place, sketch)
        return None
