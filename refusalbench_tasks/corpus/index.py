"""Which texts are nearest to a query: BM25 over words."""

import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from refusalbench_tasks.libraries import library

from .words import UNSPACED

_TOKEN = re.compile(f"[{UNSPACED}]+|[^\\W{UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
K1 = 1.5
B = 0.75
"""The constants of BM25, which are the defaults of bm25s."""
Scores: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
"""A score of each text, shape (n,)."""


class Index:
    """A BM25 index of texts (bm25s, Lucene's formula).

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
        self._mean_length = sum(map(len, tokens)) / max(1, len(tokens))
        self._bm25: Any = None
        if numbers:
            self._bm25 = library("bm25s").BM25(k1=K1, b=B)
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
        return nearest_of(self.scores(query), k)

    def scores(self, query: str) -> Scores:
        """Return the score of each text, 0 where it shares no word with a query."""
        words = self._bm25.get_tokens_ids(tokens_of(query)) if self._bm25 else []
        if not len(words):
            return np.zeros(self._size, np.float32)
        scores: Scores = self._bm25.get_scores(list(words))
        return scores[: self._size]

    def scores_of(self, query: str, texts: Sequence[str]) -> Scores:
        """Return the scores that other texts would have, by the frequencies of words in
        the index and its mean length.
        """
        weights = {}
        for word, times in Counter(tokens_of(query)).items():
            weights[word] = times * self.rarity(word)
        scores = np.zeros(len(texts), np.float32)
        for position, text in enumerate(texts):
            tokens = tokens_of(text)
            length = len(tokens) / (self._mean_length or 1)
            damped = K1 * (1 - B + B * length)
            for word, count in Counter(tokens).items():
                if word in weights:
                    scores[position] += weights[word] * count / (count + damped)
        return scores

    def frequency(self, word: str) -> int:
        """Return in how many texts a word, as `tokens_of` writes it, stands."""
        column = self._bm25.vocab_dict.get(word) if self._bm25 else None
        if column is None:
            return 0
        ends = self._bm25.scores["indptr"]
        return int(ends[column + 1] - ends[column])

    def rarity(self, word: str) -> float:
        """Return how much more a word tells the fewer texts have it (BM25's idf)."""
        frequency = self.frequency(word)
        return math.log(1 + (self._size - frequency + 0.5) / (frequency + 0.5))


def nearest_of(scores: Scores, k: int) -> list[tuple[int, float]]:
    """Return the k highest scores above 0 with their positions, the highest first; of
    equal ones the first position comes first.
    """
    if k < 1 or not len(scores):
        return []
    # all that reach the k-th score, so that ties at the edge are cut by position
    least = np.partition(scores, -k)[-k] if k < len(scores) else 0.0
    near = np.flatnonzero((scores >= least) & (scores > 0))
    ranked = near[np.lexsort((near, -scores[near]))][:k]
    return [(int(position), float(scores[position])) for position in ranked]


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
