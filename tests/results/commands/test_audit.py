"""`refusalbench audit`: sheets are drawn, and are not drawn over."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from tests.results.audit.scored_copies import filled

pytestmark = pytest.mark.xdist_group("audit")


def test_a_sheet_that_people_filled_in_is_not_drawn_over(
    copies: list[str], tmp_path: Path
) -> None:
    sheet = filled(tmp_path / "sheet.csv", "a")
    read_by_people = sheet.read_bytes()
    result = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "sheet.csv", "--n", "2"]
    )
    assert result.exit_code == 1
    assert "sheet.csv is filled in" in result.output
    assert sheet.read_bytes() == read_by_people
    blank = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "blank.csv", "--n", "2"]
    )
    again = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "blank.csv", "--n", "3"]
    )
    assert (blank.exit_code, again.exit_code) == (0, 0), again.output
