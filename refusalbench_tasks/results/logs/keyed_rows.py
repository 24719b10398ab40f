"""The rows of a log by their samples, in little memory."""

import math
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.alike_rows import AlikeRows
from refusalbench_tasks.metrics.sample_facts import GROUPS
from refusalbench_tasks.results.logs.row_columns import RowColumns, columns_of

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
        ids: list[str] = []
        epochs: list[int] = []
        held: list[Row] = []
        for name, epoch, row in rows:
            ids.append(name)
            epochs.append(epoch)
            held.append(row)
        self._hold(ids, epochs, held)

    @classmethod
    def of(cls, ids: list[str], epochs: list[int], rows: Sequence[Row]) -> Self:
        """Return the rows of ids and epochs; `AlikeRows` stay as they are."""
        made = cls()
        made._hold(ids, epochs, rows)
        return made

    def _hold(self, ids: list[str], epochs: list[int], rows: Sequence[Row]) -> None:
        self._ids, self._epochs, self._rows = ids, epochs, rows
        # a set of a million names would be as large as the names
        hashes = np.fromiter(map(hash, self), np.int64, len(ids))
        hashes.sort()
        if (hashes[1:] == hashes[:-1]).any():
            last = {key: place for place, key in enumerate(self)}
            self._ids, self._epochs = [name for name, _ in last], [epoch for _, epoch in last]
            self._rows = _at(rows, list(last.values()))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Key]:
        return zip(self._ids, self._epochs, strict=True)

    def __getitem__(self, key: Key) -> Row:
        return self._rows[self.places[key]]

    def values(self) -> ValuesView[Row]:
        """Return the rows."""
        return _Rows(self)

    def items(self) -> ItemsView[Key, Row]:
        """Return the keys with their rows."""
        return _Pairs(self)

    def where(self, chosen: Callable[[Row], bool]) -> "KeyedRows[Row]":
        """Return the rows that are chosen, whatever their names; these themselves if all are."""
        rows = self._rows
        mask = rows.mask(chosen) if isinstance(rows, AlikeRows) else np.fromiter(map(chosen, rows), bool, len(rows))
        if mask.all():
            return self
        return self.at(np.flatnonzero(mask).tolist())

    def at(self, places: list[int]) -> "KeyedRows[Row]":
        """Return the rows at places, with their keys."""
        ids, epochs = [self._ids[k] for k in places], [self._epochs[k] for k in places]
        return KeyedRows.of(ids, epochs, _at(self._rows, places))

    @property
    def in_places(self) -> Sequence[Row]:
        """Return the rows in their order, in the columns in which they are held."""
        return self._rows

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Return the places of the rows in the order of their keys."""
        if self._ordered:
            return np.arange(len(self))
        keys = list(self)
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)

    def kind(self, key: Key) -> Row:
        """Return the row of a key, which may be without its names."""
        place = self.places[key]
        return self._rows.kind(place) if isinstance(self._rows, AlikeRows) else self._rows[place]

    def key(self, place: int) -> Key:
        """Return the key of the row at a place."""
        return self._ids[place], self._epochs[place]

    @cached_property
    def _ordered(self) -> bool:
        return all(one < other for one, other in pairwise(self))

    @cached_property
    def places(self) -> Mapping[Key, int]:
        """Return the place of each key."""
        return {key: place for place, key in enumerate(self)}

    def __getstate__(self) -> dict[str, Any]:
        # rows go from process to process, and what is found of them is found again where it is asked for
        rows, state = self._rows, {"_ids": self._ids, "_epochs": self._epochs}
        if isinstance(rows, AlikeRows):
            return state | {"_rows": rows.with_kinds(()), "_kinds": columns_of(rows.kinds)}
        return state | {"_rows": None, "_kinds": columns_of(rows)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        sent, rows = state.pop("_kinds"), state["_rows"]
        made = sent.rows() if isinstance(sent, RowColumns) else sent
        self.__dict__.update(state | {"_rows": made if rows is None else rows.with_kinds(made)})


def _at(rows: Sequence[Row], places: list[int]) -> Sequence[Row]:
    return rows.at(np.array(places, dtype=np.intp)) if isinstance(rows, AlikeRows) else [rows[k] for k in places]


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


def keyed(rows: Mapping[Key, Row]) -> KeyedRows[Row]:
    """Return rows by sample in little memory, in their order."""
    if isinstance(rows, KeyedRows):
        return rows
    return KeyedRows((name, epoch, row) for (name, epoch), row in rows.items())


def kinds_of(rows: Mapping[Key, Row]) -> Iterable[Row]:
    """Return rows, of those that differ in their names alone one, in the order in which each is first."""
    held = rows.in_places if isinstance(rows, KeyedRows) else None
    return (row for row, _ in held.present) if isinstance(held, AlikeRows) else rows.values()


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
