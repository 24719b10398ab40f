"""Rows to items, whatever the layout: every bad row is counted, and ids are unique."""

from collections.abc import Callable, Sequence

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError, RowError, first_of


def items_by(item_of: Callable[[Row], RefusalItem], rows: Sequence[Row]) -> list[RefusalItem]:
    """Return one item per row.

    Raises DataError that names file, row and field of the first bad row, and says how many more there are; two rows
    with one id are an error too.
    """
    items: list[RefusalItem] = []
    errors: list[DataError] = []
    places: dict[str, Row] = {}
    for row in rows:
        try:
            item = item_of(row)
            if item.item_id in places:
                raise RowError(row.source, row.place, "id", f"'{item.item_id}' is also at {places[item.item_id].place}")
            places[item.item_id] = row
            items.append(item)
        except DataError as error:
            errors.append(error)
    if errors:
        raise first_of(errors)
    return items
