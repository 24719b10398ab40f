"""`refusalbench rows`: one table of replies, whose columns the page names."""

import re
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main

FROZEN = str(Path(__file__).parents[1] / "frozen")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    done = CliRunner().invoke(main, ["rows", FROZEN, "-o", str(path)])
    assert done.exit_code == 0, done.output
    return pd.read_parquet(path)


def test_every_reply_of_every_log_is_a_row(table: pd.DataFrame) -> None:
    assert len(table) == 54 * 2 + 36 * 2 + 88 * 2


def test_the_page_names_every_column(table: pd.DataFrame) -> None:
    page = (Path(__file__).parents[3] / "docs" / "report.md").read_text(
        encoding="utf-8"
    )
    named = {
        name
        for line in page.splitlines()
        if line[:3] == "| `"
        for name in re.findall("`(.*?)`", line.split("|")[1])
    }
    assert named == set(table.columns)
