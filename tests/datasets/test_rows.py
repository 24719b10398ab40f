"""Rows are read whole before anything is refused, and ids are unique."""

import pytest

from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.errors import DataError, RowError


def rows(*names: str) -> list[Row]:
    return [Row("a.jsonl", f"row {number}", {"id": name}) for number, name in enumerate(names, 1)]


def name_of(row: Row) -> str:
    if not row.values["id"]:
        raise RowError(row.source, row.place, "id", "missing")
    return str(row.values["id"])


def test_the_first_bad_row_is_named_and_the_others_are_counted() -> None:
    with pytest.raises(DataError, match="a.jsonl, row 2, field 'id': missing.*2 more"):
        entries_by(name_of, rows("a", "", "", ""))


def test_two_rows_with_one_id_are_an_error_where_rows_have_ids() -> None:
    assert entries_by(name_of, rows("a", "b", "a")) == ["a", "b", "a"]
    with pytest.raises(DataError, match="a.jsonl, row 3, field 'id': 'a' is also at row 1"):
        entries_by(name_of, rows("a", "b", "a"), str)
