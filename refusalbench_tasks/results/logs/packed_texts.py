"""Very many short texts that are hardly ever asked for: packed a few hundred at a time."""

import marshal
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.cluster import Mask

_BLOCK = 256
"""So many texts are packed together, and unpacked for one of them."""


class PackedTexts:
    """Texts in their order; of names that are alike each takes a few bytes."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._last: list[str] = []
        self._open: tuple[int, list[str]] = (-1, [])

    def append(self, text: str) -> None:
        """Add a text."""
        self._last.append(text)
        if len(self._last) == _BLOCK:
            self._blocks.append(zlib.compress(marshal.dumps(self._last), 1))
            self._last = []

    def __len__(self) -> int:
        return len(self._blocks) * _BLOCK + len(self._last)

    def __getitem__(self, place: int) -> str:
        block, within = divmod(place, _BLOCK)
        if block == len(self._blocks):
            return self._last[within]
        if self._open[0] != block:
            self._open = block, marshal.loads(zlib.decompress(self._blocks[block]))
        return self._open[1][within]


@dataclass(frozen=True, eq=False)
class TextsAt(Sequence[str]):
    """Texts at places among packed ones."""

    texts: PackedTexts
    places: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[str]:
        return map(self.texts.__getitem__, self.places.tolist())

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice | NDArray[np.intp] | Mask) -> "TextsAt": ...
    def __getitem__(self, place: int | slice | NDArray[np.intp] | Mask) -> "str | TextsAt":
        if isinstance(place, slice | np.ndarray):
            return TextsAt(self.texts, self.places[place])
        return self.texts[int(self.places[place])]

    def tolist(self) -> list[str]:
        """Return all of them."""
        return list(self)
