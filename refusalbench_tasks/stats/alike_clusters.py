"""Clusters of very many rows, of which those with rows of the same kinds are held once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.cluster import Places


class AlikeClusters(NamedTuple):
    """Different clusters: the kind of each of their rows, the place of its cluster, and how many clusters are alike."""

    which: NDArray[np.int32]
    places: Places
    numbers: NDArray[np.intp]


def alike_clusters(places: Places, which: NDArray[np.int32], kinds: int) -> AlikeClusters:
    """Return the clusters that differ, of rows with a place of their cluster and one of so many kinds each.

    No place is left out. The order of the clusters follows from their rows' kinds alone.
    """
    lengths = np.bincount(places)
    # sorted by cluster, then by kind, in one number of eight bytes a row
    keys = places.astype(np.int64) * kinds
    keys += which
    keys.sort()
    keys %= kinds
    ordered = keys.astype(np.int32)
    del keys
    parts = [_different(ordered, np.repeat(lengths, lengths), length) for length in np.unique(lengths).tolist()]
    sizes = np.concatenate([np.full(len(numbers), block.shape[1]) for block, numbers in parts])
    return AlikeClusters(
        np.concatenate([block.ravel() for block, _ in parts]),
        np.repeat(np.arange(len(sizes)), sizes),
        np.concatenate([numbers for _, numbers in parts]),
    )


def _different(
    ordered: NDArray[np.int32], lengths: NDArray[np.intp], length: int
) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Return the kinds of the different clusters of so many rows, shape (clusters, length), and how many have each."""
    block = ordered[lengths == length].reshape(-1, length)
    return np.unique(block, axis=0, return_counts=True)
