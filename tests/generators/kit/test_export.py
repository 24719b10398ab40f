"""The folder of a data set, and what lies beside it for people."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.export import (
    PeopleSheet,
    people_folder,
    write_set,
)
from refusalbench_tasks.sheets import read_sheet_rows

SHEET = PeopleSheet(
    ("item", "ok"),
    ("ok",),
    [{"item": "i1", "ok": ""}],
    [{"item": "i1", "id": "RB_1"}],
    "# How\n",
)


def test_the_sheet_and_its_key_lie_outside_the_folder_that_is_uploaded(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "set"
    written = write_set(
        folder, {"rows.jsonl": "{}\n"}, ("rows.jsonl", "old.txt"), SHEET
    )
    assert sorted(one.name for one in folder.iterdir()) == ["rows.jsonl"]
    assert people_folder(folder) == tmp_path / "set-people"
    assert [one.parent.name for one in written] == ["set", *["set-people"] * 3]
    assert read_sheet_rows(tmp_path / "set-people" / "validation_key.csv") == [
        {"item": "i1", "id": "RB_1"}
    ]


def test_a_sheet_that_somebody_filled_in_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    write_set(folder, {"rows.jsonl": "{}\n"}, (), SHEET)
    (tmp_path / "set-people" / "validation.csv").write_text("item,ok\ni1,yes\n")
    with pytest.raises(DataError, match="is filled in"):
        write_set(folder, {"rows.jsonl": "new"}, (), SHEET)
    assert (folder / "rows.jsonl").read_text() == "{}\n"
