"""What people write into the cells of a sheet."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.sheets import keep_filled, yes_or_no


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        ("yes", True),
        ("no", False),
        ("", None),
    ],
)
def test_yes_and_no_have_their_usual_words(cell: str, meant: bool | None) -> None:
    assert yes_or_no(cell) is meant


def test_a_sheet_that_somebody_filled_in_is_kept(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    keep_filled(sheet, ("ok",))
    sheet.write_text("item,ok,comment\na,,\nb,  ,a remark\n")
    keep_filled(sheet, ("ok",))
    for columns in (("comment",), ("ok", "comment")):
        with pytest.raises(
            DataError,
            match=r"sheet.csv is filled in, or another table; write to another",
        ):
            keep_filled(sheet, columns)


@pytest.mark.parametrize(
    "text",
    [
        "id,query,answers\n1,Who?,Ada\n",
        "item;ok;comment\na;yes;\n",
        "item,verdict\na,clear\n",
    ],
)
def test_another_table_is_kept_and_a_blank_one_is_not(
    tmp_path: Path, text: str
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(text)
    with pytest.raises(
        DataError,
        match=r"sheet.csv is filled in, or another table; write to another place",
    ):
        keep_filled(sheet, ("ok", "comment"))
    for blank in ("", text.splitlines()[0], "item,ok\na,\n"):
        sheet.write_text(blank)
        keep_filled(sheet, ("ok", "comment"))
