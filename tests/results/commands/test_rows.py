"""`refusalbench rows`: one table of replies, whose columns the page names."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main

FROZEN = str(Path(__file__).parents[1] / "frozen")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rows")
    for ending in ("parquet", "csv", "jsonl"):
        done = CliRunner().invoke(
            main, ["rows", FROZEN, "-o", str(made / f"rows.{ending}")]
        )
        assert done.exit_code == 0, done.output
    return made


def test_the_three_forms_hold_the_same_rows(folder: Path) -> None:
    parquet = pd.read_parquet(folder / "rows.parquet")
    csv = pd.read_csv(folder / "rows.csv")
    lines = [
        json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()
    ]
    assert len(parquet) == len(csv) == len(lines) == 54 * 2 + 36 * 2 + 88 * 2
    assert list(parquet.columns) == list(csv.columns) == list(lines[0])
    assert (
        parquet["right"].sum()
        == csv["right"].sum()
        == sum(line["right"] or 0 for line in lines)
    )
    assert "NaN" not in (folder / "rows.jsonl").read_text()
    assert (
        json.loads(csv["passages"][0])
        == list(parquet["passages"][0])
        == lines[0]["passages"]
    )


def test_the_page_names_every_column(folder: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "report.md").read_text(
        encoding="utf-8"
    )
    named = {
        name
        for line in page.splitlines()
        if line[:3] == "| `"
        for name in re.findall("`(.*?)`", line.split("|")[1])
    }
    assert named == set(pd.read_parquet(folder / "rows.parquet").columns)
