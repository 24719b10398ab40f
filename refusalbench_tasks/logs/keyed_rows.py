"""The rows of a log by their samples, in little memory."""

import math
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property
from typing import Any, Generic, TypeVar

Key = tuple[str, int]
"""A sample's id and epoch."""
Row = TypeVar("Row")
_REPEATED = ("item_id", "source_id", "question_id", "pair", "topic")
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
        seen: dict[int, set[str]] = {}
        for name, epoch, row in rows:
            of_epoch = seen.setdefault(epoch, set())
            if name in of_epoch:
                place = next(k for k, key in enumerate(self) if key == (name, epoch))
                self._rows[place] = row
                continue
            of_epoch.add(name)
            self._ids.append(name)
            self._epochs.append(epoch)
            self._rows.append(row)

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

    @cached_property
    def _places(self) -> dict[Key, int]:
        return {key: place for place, key in enumerate(self)}

    def __getstate__(self) -> dict[str, Any]:
        # rows go from process to process, and the places are found again where they are asked for
        return {name: value for name, value in self.__dict__.items() if name != "_places"}


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


class SameValues:
    """Gives equal values of many rows as one object: what a million rows repeat is held once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._numbers: dict[Any, Mapping[str, float]] = {}

    def facts(self, metadata: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        """Return the metadata of a sample; `name` is its id, which is often that of the item as well."""
        result = dict(metadata)
        for field in _REPEATED:
            value = result.get(field)
            if type(value) is str:
                result[field] = name if value == name else self._one(value)
        return result

    def numbers(self, numbers: Mapping[str, float | None]) -> Mapping[str, float]:
        """Return the numbers of a score; what is not known (None, NaN) is one NaN."""
        # a NaN differs from each other one, so that a key would never be found again
        known = {name: math.nan if one is None or one != one else one for name, one in numbers.items()}
        key = tuple(known.items())
        found: Mapping[str, float] | None = self._numbers.get(key)
        if found is None:
            found = known
            if len(self._numbers) < _MOST:
                self._numbers[key] = found
        return found

    def _one(self, text: str) -> str:
        found = self._texts.get(text)
        if found is None:
            found = text
            if len(self._texts) < _MOST:
                self._texts[text] = text
        return found
