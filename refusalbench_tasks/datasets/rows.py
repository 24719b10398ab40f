"""Rows to what they say, whatever the layout: every bad row is counted, and ids are unique."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError, RowError, first_of

Entry = TypeVar("Entry")


def items_by(item_of: Callable[[Row], RefusalItem], rows: Sequence[Row]) -> list[RefusalItem]:
    """Return one item per row; errors as in `entries_by`."""
    return entries_by(item_of, rows, lambda item: item.item_id)


def entries_by(
    entry_of: Callable[[Row], Entry], rows: Sequence[Row], id_of: Callable[[Entry], str] | None = None
) -> list[Entry]:
    """Return what each row says.

    Raises DataError that names file, row and field of the first bad row, and says how many more there are. With
    `id_of`, two rows with one id are an error too.
    """
    entries: list[Entry] = []
    errors: list[DataError] = []
    places: dict[str, str] = {}
    for row in rows:
        try:
            entry = entry_of(row)
            if id_of:
                _take(id_of(entry), row, places)
        except DataError as error:
            errors.append(error)
            continue
        entries.append(entry)
    if errors:
        raise first_of(errors)
    return entries


def _take(name: str, row: Row, places: dict[str, str]) -> None:
    if name in places:
        raise RowError(row.source, row.place, "id", f"'{name}' is also at {places[name]}")
    places[name] = row.place
