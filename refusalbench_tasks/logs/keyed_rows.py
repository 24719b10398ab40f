"""The rows of a log by their samples, in little memory."""

import math
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np

from refusalbench_tasks.logs.row_columns import RowColumns, columns_of
from refusalbench_tasks.metrics.sample_facts import GROUPS

Key = tuple[str, int]
"""A sample's id and epoch."""
Row = TypeVar("Row")
_REPEATED = ("item_id", "source_id", "question_id", "pair", "arm", "topic", "ambiguity", *GROUPS.values())
"""Names that rows keep, and that several rows share."""
_MOST = 1 << 16
"""So many different values of one kind are remembered to be shared."""


class KeyedRows(Mapping[Key, Row], Generic[Row]):
    """Rows by id and epoch, in the order in which they were given; of two of one sample the last one stands.

    A key is made when it is asked for: a dictionary of a million tuples would be as large as their rows.
    """

    def __init__(self, rows: Iterable[tuple[str, int, Row]] = ()) -> None:
        self._ids: list[str] = []
        self._epochs: list[int] = []
        self._rows: list[Row] = []
        for name, epoch, row in rows:
            self._ids.append(name)
            self._epochs.append(epoch)
            self._rows.append(row)
        # a set of a million names would be as large as the names
        hashes = np.fromiter(map(hash, self), np.int64, len(self._ids))
        hashes.sort()
        if (hashes[1:] == hashes[:-1]).any():
            last = dict(zip(self, self._rows, strict=True))
            self._ids, self._epochs = [name for name, _ in last], [epoch for _, epoch in last]
            self._rows = list(last.values())

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Key]:
        return zip(self._ids, self._epochs, strict=True)

    def __getitem__(self, key: Key) -> Row:
        return self._rows[self._places[key]]

    def values(self) -> ValuesView[Row]:
        """Return the rows."""
        return _Rows(self)

    def items(self) -> ItemsView[Key, Row]:
        """Return the keys with their rows."""
        return _Pairs(self)

    def where(self, chosen: Callable[[Row], bool]) -> "KeyedRows[Row]":
        """Return the rows that are chosen; these themselves if all are."""
        if all(map(chosen, self._rows)):
            return self
        every = zip(self._ids, self._epochs, self._rows, strict=True)
        return KeyedRows((name, epoch, row) for name, epoch, row in every if chosen(row))

    @property
    def by_key(self) -> Iterator[tuple[Key, Row]]:
        """Yield the keys with their rows in the order of the keys."""
        keys = list(zip(self._ids, self._epochs, strict=True)) if not self._ordered else ()
        places = sorted(range(len(keys)), key=keys.__getitem__) if keys else range(len(self))
        return (((self._ids[k], self._epochs[k]), self._rows[k]) for k in places)

    @cached_property
    def _ordered(self) -> bool:
        return all(one < other for one, other in pairwise(self))

    @cached_property
    def _places(self) -> dict[Key, int]:
        return {key: place for place, key in enumerate(self)}

    def __getstate__(self) -> dict[str, Any]:
        # rows go from process to process, and the places are found again where they are asked for
        kept = {name: value for name, value in self.__dict__.items() if name != "_places"}
        return kept | {"_rows": columns_of(self._rows)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rows = state["_rows"]
        self.__dict__.update(state | {"_rows": rows.rows() if isinstance(rows, RowColumns) else rows})


class _Rows(ValuesView[Row]):
    _mapping: KeyedRows[Row]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._mapping._rows)


class _Pairs(ItemsView[Key, Row]):
    _mapping: KeyedRows[Row]

    def __iter__(self) -> Iterator[tuple[Key, Row]]:
        return zip(self._mapping, self._mapping._rows, strict=True)


def rows_where(rows: Mapping[Key, Row], chosen: Callable[[Row], bool]) -> Mapping[Key, Row]:
    """Return the rows that are chosen, in their order."""
    if isinstance(rows, KeyedRows):
        return rows.where(chosen)
    return {key: row for key, row in rows.items() if chosen(row)}


def in_order(rows: Mapping[Key, Row]) -> Iterator[tuple[Key, Row]]:
    """Yield keys with their rows in the order of the keys; rows that are in order need no memory for it."""
    return rows.by_key if isinstance(rows, KeyedRows) else iter(sorted(rows.items(), key=lambda one: one[0]))


class SameValues:
    """Gives equal values of many rows as one object: what a million rows repeat is held once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._numbers: dict[Any, Mapping[str, float]] = {}
        self._as_given: dict[Any, Mapping[str, float]] = {}

    def facts(self, metadata: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        """Return the metadata of a sample; `name` is its id, which is often that of the item as well."""
        result, texts = dict(metadata), self._texts
        for field in _REPEATED:
            value = result.get(field)
            if type(value) is str:
                if value == name:
                    result[field] = name
                elif (known := texts.get(value)) is not None:
                    result[field] = known
                elif len(texts) < _MOST:
                    texts[value] = value
        return result

    def numbers(self, numbers: Mapping[str, float | None]) -> Mapping[str, float]:
        """Return the numbers of a score; what is not known (None, NaN) is one NaN."""
        given = tuple(numbers.items())
        at_once = self._as_given.get(given)
        if at_once is not None:
            return at_once
        # a NaN differs from each other one, so that a key would never be found again
        known = {name: math.nan if one is None or one != one else one for name, one in numbers.items()}
        key = tuple(known.items())
        found: Mapping[str, float] | None = self._numbers.get(key)
        if found is None:
            found = known
            if len(self._numbers) < _MOST:
                self._numbers[key] = found
        if len(self._as_given) < _MOST and all(one == one for one in numbers.values()):
            self._as_given[given] = found
        return found
