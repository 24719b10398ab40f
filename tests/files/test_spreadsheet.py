"""What people write into the cells of a sheet."""

import pytest

from refusalbench_tasks.files.spreadsheet import yes_or_no


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        ("yes", True),
        (" Y ", True),
        ("1", True),
        ("TRUE", True),
        ("pass", True),
        ("no", False),
        ("N", False),
        ("0", False),
        ("False", False),
        ("fail", False),
        ("", None),
        ("maybe", None),
        ("yes and no", None),
    ],
)
def test_yes_and_no_have_their_usual_words(cell: str, meant: bool | None) -> None:
    assert yes_or_no(cell) is meant
