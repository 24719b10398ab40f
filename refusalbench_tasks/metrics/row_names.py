"""The names of rows of which many are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.cluster import Mask


class Texts(Protocol):
    """Texts by their places: an array of them, or what unpacks them as they are asked for."""

    def __getitem__(self, place: Any, /) -> Any:
        """Return the text at a place, or those at several."""

    def tolist(self) -> list[str]:
        """Return all of them."""


@dataclass(frozen=True)
class RowNames:
    """What rows of one kind differ in: items, epochs and base questions, these as numbers, with the text of each."""

    items: Texts
    epochs: NDArray[np.int32]
    clusters: NDArray[np.int32]
    questions: Sequence[str]

    def at(self, places: NDArray[np.intp] | Mask) -> "RowNames":
        """Return the names of rows at places, or those of a mask."""
        return RowNames(self.items[places], self.epochs[places], self.clusters[places], self.questions)
