"""Rows of which many are alike: a million rows of one log are of a few thousand kinds."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.cluster import Floats, Mask, sums_at

Row = TypeVar("Row")
Which = NDArray[np.int32]
"""The number of each row's kind."""


class AlikeRows(Sequence[Row], Generic[Row]):
    """Rows, of which each is of a kind: what is asked of all rows is computed once for each kind.

    Made of rows, each is a kind of its own. Kinds may be equal to each other, and need not occur.
    """

    kinds: Sequence[Row]
    which: Which

    def __init__(self, rows: Iterable[Row] = (), which: Which | None = None) -> None:
        """Take rows, or kinds and the number of each row's kind."""
        self.kinds = rows.kinds if isinstance(rows, AlikeRows) else tuple(rows)
        if which is None:
            which = rows.which if isinstance(rows, AlikeRows) else np.arange(len(self.kinds), dtype=np.int32)
        self.which = which

    def __len__(self) -> int:
        return len(self.which)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> Row | Self:
        if isinstance(place, slice):
            return self.at(np.arange(len(self))[place])
        return self.kind(place)

    def kind(self, place: int) -> Row:
        """Return a row, which may be without its names."""
        return self.kinds[int(self.which[place])]

    def __iter__(self) -> Iterator[Row]:
        return map(self.kinds.__getitem__, self.which.tolist())

    def __getstate__(self) -> dict[str, Any]:
        # what was computed is computed again where it is asked for
        return {name: value for name, value in self.__dict__.items() if not hasattr(type(self), name)}

    def at(self, places: NDArray[np.intp] | Mask) -> Self:
        """Return the rows at places, or those of a mask."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__getstate__() | {"which": self.which[places]})
        return made

    def where(self, chosen: Mask) -> Self:
        """Return the rows of a mask; these themselves if all are."""
        return self if chosen.all() else self.at(chosen)

    def with_kinds(self, kinds: Sequence[Row]) -> Self:
        """Return the rows of other kinds, as many."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__getstate__() | {"kinds": kinds})
        return made

    def each(self, value: Callable[[Row], Any], dtype: type[Any] = object) -> NDArray[Any]:
        """Return a value of each row that does not depend on its names, shape (n,)."""
        found: NDArray[Any] = np.fromiter(map(value, self.kinds), dtype, len(self.kinds))[self.which]
        return found

    def mask(self, chosen: Callable[[Row], object]) -> Mask:
        """Return of which rows something is true that does not depend on their names, shape (n,)."""
        return self.each(lambda row: bool(chosen(row)), bool)

    @cached_property
    def present(self) -> list[tuple[Row, int]]:
        """Return the kinds that occur, in the order of the first row of each, and how many rows are of each."""
        numbers = np.bincount(self.which, minlength=len(self.kinds))
        first = np.full(len(self.kinds), len(self), np.intp)
        first[self.which[::-1]] = np.arange(len(self) - 1, -1, -1)
        order = np.argsort(first, kind="stable")[: int((numbers > 0).sum())]
        return [(self.kinds[k], int(numbers[k])) for k in order]

    def number(self, chosen: Callable[[Row], object]) -> int:
        """Return of how many rows something is true that does not depend on their names."""
        return sum(n for row, n in self.present if chosen(row))

    def counted(self, value: Callable[[Row], Hashable]) -> Counter[Any]:
        """Return how often each value occurs, in the order in which it occurs first."""
        counts = Counter[Any]()
        for row, n in self.present:
            counts[value(row)] += n
        return counts

    def grouped(self, value: Callable[[Row], str]) -> tuple[list[str], NDArray[np.intp]]:
        """Return the values that occur, sorted, and the place of each row's among them, shape (n,)."""
        names, places = self.grouped_kinds(value)
        return names, places[self.which]

    def grouped_kinds(self, value: Callable[[Row], str]) -> tuple[list[str], NDArray[np.intp]]:
        """Return the values that occur, sorted, and the place of each kind's among them, shape (kinds,)."""
        names = sorted({value(row) for row, _ in self.present})
        places = {name: place for place, name in enumerate(names)}
        return names, np.array([places.get(value(row), 0) for row in self.kinds], np.intp)

    def sums(self, vectors: Floats, index: NDArray[np.intp], n: int) -> Floats:
        """Return the sums of the vectors of each place: a vector of each kind, a place below n for each row."""
        return sums_at(vectors, index, n, self.which)

    def total(self, vectors: Floats, mask: Mask | None = None) -> Floats:
        """Return the sum of the vectors of all rows, or those of a mask, given the vector of each kind.

        Vectors of whole numbers have exact sums.
        """
        which = self.which if mask is None else self.which[mask]
        total: Floats = np.bincount(which, minlength=len(self.kinds)) @ vectors
        return total
