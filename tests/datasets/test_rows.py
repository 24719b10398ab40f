"""Rows are read whole before anything is refused, and ids are unique."""

import json
from pathlib import Path

import pytest

from refusalbench_tasks.datasets.rows import Row, entries_by, reply_rows
from refusalbench_tasks.errors import DataError, RowError


def rows(*names: str) -> list[Row]:
    return [
        Row("a.jsonl", f"row {number}", {"id": name})
        for number, name in enumerate(names, 1)
    ]


def name_of(row: Row) -> str:
    if not row.values["id"]:
        raise RowError(row.source, row.place, "id", "missing")
    return str(row.values["id"])


def test_the_first_bad_row_is_named_and_the_others_are_counted() -> None:
    with pytest.raises(DataError, match="a.jsonl, row 2, field 'id': missing.*2 more"):
        entries_by(name_of, rows("a", "", "", ""))


def test_two_rows_with_one_id_are_an_error_where_rows_have_ids() -> None:
    assert entries_by(name_of, rows("a", "b", "a")) == ["a", "b", "a"]
    with pytest.raises(
        DataError, match="a.jsonl, row 3, field 'id': 'a' is also at row 1"
    ):
        entries_by(name_of, rows("a", "b", "a"), str)


def replies_file(folder: Path, *lines: object) -> Path:
    path = folder / "replies.jsonl"
    path.write_text(
        "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8"
    )
    return path


def test_a_first_row_names_the_model_of_replies_that_name_none(tmp_path: Path) -> None:
    replies = (
        {"id": "a", "reply": "1931"},
        {"id": "b", "reply": "no", "model": "another"},
    )
    rows = reply_rows(
        replies_file(tmp_path, {"recorded": {"model": "small"}}, *replies)
    )
    assert [(row.place, row.values["id"], row.values["model"]) for row in rows] == [
        ("line 2", "a", "small"),
        ("line 3", "b", "another"),
    ]


@pytest.mark.parametrize("recorded", ["small", {"name": "small"}, None])
def test_a_first_row_without_a_model_is_named(tmp_path: Path, recorded: object) -> None:
    path = replies_file(tmp_path, {"recorded": recorded}, {"id": "a", "reply": "1931"})
    with pytest.raises(
        DataError,
        match=(
            "replies.jsonl, line 1, field 'recorded': expected an object with the name"
        ),
    ):
        reply_rows(path)


def test_a_first_row_alone_is_no_file_of_replies(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no replies behind its first row"):
        reply_rows(replies_file(tmp_path, {"recorded": {"model": "small"}}))
