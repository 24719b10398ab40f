"""Which texts are nearest to a query: BM25 over words."""

import re
import unicodedata
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from refusalbench_tasks.generators.kit.libraries import library
from refusalbench_tasks.generators.kit.words import UNSPACED

_TOKEN = re.compile(f"[{UNSPACED}]+|[^\\W{UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")


class Index:
    """A BM25 index of texts (bm25s, its defaults: Lucene's formula, k1 = 1.5, b =
    0.75).

    The texts are read one after another and are not kept: a word of one takes four
    bytes until the index is made.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        numbers: dict[str, int] = {}
        tokens = []
        for text in texts:
            words = tokens_of(text)
            of_text = [numbers.setdefault(word, len(numbers)) for word in words]
            tokens.append(array("i", of_text))
        self._size = len(tokens)
        self._bm25: Any = None
        if numbers:
            self._bm25 = library("bm25s").BM25()
            self._bm25.index((tokens, numbers), show_progress=False)

    def nearest(
        self,
        query: str,
        k: int,
    ) -> list[tuple[int, float]]:
        """Return the positions of the k texts nearest to a query, the nearest first,
        with their scores.

        Scores are above 0: a text that shares no word with the query is not listed, so
        that there may be fewer than k. Of equal scores the first text comes first.
        """
        scores = self._scores(query)
        if k < 1 or not len(scores):
            return []
        # all that reach the k-th score, so that ties at the edge are cut by position
        least = np.partition(scores, -k)[-k] if k < len(scores) else 0.0
        near = np.flatnonzero((scores >= least) & (scores > 0))
        ranked = near[np.lexsort((near, -scores[near]))][:k]
        return [(int(position), float(scores[position])) for position in ranked]

    def _scores(self, query: str) -> "np.ndarray[Any, np.dtype[np.float32]]":
        known = self._bm25.get_tokens_ids(tokens_of(query)) if self._bm25 else []
        if not len(known):
            return np.zeros(0, np.float32)
        scores: np.ndarray[Any, np.dtype[np.float32]]
        scores = self._bm25.get_scores(list(known))
        return scores[: self._size]


def tokens_of(text: str) -> list[str]:
    """Return the words of a text without case; pairs of neighbouring characters where a
    script has no spaces.
    """
    tokens: list[str] = []
    for word in _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _IS_UNSPACED.match(word):
            tokens += (word[k : k + 2] for k in range(max(1, len(word) - 1)))
        else:
            tokens.append(word)
    return tokens
