"""The rows of a log as its samples are read one by one, for metrics: their names are packed."""

from array import array

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.row_names import RowNames
from refusalbench_tasks.results.logs.growing_rows import GrowingKinds
from refusalbench_tasks.results.logs.packed_texts import PackedTexts, TextsAt


class PackedKinds(GrowingKinds):
    """Takes scores as `GrowingKinds` does, for rows whose names are hardly ever asked for: these are packed."""

    def __init__(self, scorer: str) -> None:
        super().__init__(scorer)
        self._packed_items, self._sources = PackedTexts(), PackedTexts()
        self._hashes = array("q")

    def _name(self, item: str, source: str) -> None:
        self._packed_items.append(item)
        self._sources.append(source)
        # of a million questions two have the same number in one of 37 million runs
        self._hashes.append(hash(source))

    def _names(self, epochs: NDArray[np.int32]) -> RowNames:
        hashes = np.array(self._hashes, dtype=np.int64)
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        hashes = hashes[order]
        new = np.ones(len(hashes), dtype=bool)
        new[1:] = hashes[1:] != hashes[:-1]
        del hashes
        clusters = np.empty(len(order), dtype=np.int32)
        clusters[order] = np.cumsum(new, dtype=np.int32) - np.int32(1)
        items = TextsAt(self._packed_items, np.arange(len(order), dtype=np.int32))
        return RowNames(items, epochs, clusters, TextsAt(self._sources, order[new]))
