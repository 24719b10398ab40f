"""The rows of a log by their samples, in little memory."""

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property
from typing import Any, Generic, TypeVar

Key = tuple[str, int]
"""A sample's id and epoch."""
Row = TypeVar("Row")
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
        self._seen: dict[Any, Any] = {}

    def facts(self, metadata: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        """Return the metadata of a sample; `name` is its id, which is often that of the item as well."""
        return {
            field: name if value == name else self._one(value) if type(value) is str else value
            for field, value in metadata.items()
        }

    def numbers(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Return the numbers of a score."""
        key = tuple(numbers.items())
        found: Mapping[str, float] = self._seen.get(key, numbers)
        if found is numbers and len(self._seen) < _MOST:
            self._seen[key] = numbers
        return found

    def _one(self, text: str) -> str:
        # a question or a text is hardly ever repeated, and no row keeps it
        if len(text) > 100:
            return text
        found: str = self._seen.get(text, text)
        if found is text and len(self._seen) < _MOST:
            self._seen[text] = text
        return found
