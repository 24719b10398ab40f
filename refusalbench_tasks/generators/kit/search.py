"""Which texts are nearest to a query: BM25 over words."""

import re
import unicodedata
from array import array
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.words import UNSPACED

_INSTALL = "pip install 'refusalbench-tasks[documents]'"
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
        tokens = [
            array(
                "i", [numbers.setdefault(one, len(numbers)) for one in tokens_of(text)]
            )
            for text in texts
        ]
        self._size = len(tokens)
        self._bm25: Any = None
        if numbers:
            self._bm25 = library("bm25s").BM25()
            self._bm25.index((tokens, numbers), show_progress=False)

    def __len__(self) -> int:
        return self._size

    def nearest(self, query: str, k: int) -> list[tuple[int, float]]:
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
        found: np.ndarray[Any, np.dtype[np.float32]] = self._bm25.get_scores(
            list(known)
        )[: self._size]
        return found


def tokens_of(text: str) -> list[str]:
    """Return the words of a text without case; pairs of neighbouring characters where a
    script has no spaces.
    """
    found: list[str] = []
    for word in _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _IS_UNSPACED.match(word):
            found += [word[k : k + 2] for k in range(max(1, len(word) - 1))]
        else:
            found.append(word)
    return found


def library(name: str) -> Any:
    """Return a module of the extra `documents`.

    Raises MissingLibrary, with the way to install it, if it can't be had.

    A library may be there and lack one of its own: then the reason that it gives stands
    in the message.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise missing(error.name or name) from None
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise MissingLibrary(
            f"documents: {name} can't be imported ({reason}); {_INSTALL}"
        ) from None


class MissingLibrary(DataError):
    """A library that documents need is not there: no fault of the document."""


def missing(name: str) -> MissingLibrary:
    """Return the error for a library that is not installed."""
    return MissingLibrary(f"documents: needs {name}; {_INSTALL}")
