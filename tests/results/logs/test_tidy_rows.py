"""`refusalbench rows`: one typed row a sample and epoch, whatever the file's form."""

import csv
import json
import math
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalSample

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.logs.tidy_rows import COLUMNS, tidy_rows
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.logs.synthetic import hedging_sample, row, write_log

NAMES = [column.name for column in COLUMNS]


def failed(key: str) -> EvalSample:
    sample = row(key, None)
    sample.scores = None
    sample.error = None
    return sample


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    write_log(
        folder,
        "model-a",
        [
            row("a", Label.MISSING, level="HIGH", decided_by="judge", domain="=law"),
            row("b", Label.ANSWER, intensity=Intensity.LOW, grade=4.0, control=True),
            row("c", None, reason="no_response"),
            failed("d"),
        ],
    )
    write_log(folder, "model-b", [hedging_sample("q", "clear", hedges=2.0)], task="bluff", scorer="hedging_scores")
    return folder


def written(logs: Path, ending: str) -> Path:
    path = logs.parent / f"rows.{ending}"
    done = CliRunner().invoke(main, ["rows", str(logs), "-o", str(path)])
    assert done.exit_code == 0, done.output
    assert "5 rows of 2 of 2 logs" in done.output
    return path


def test_a_row_says_what_is_known_and_null_is_all_else(logs: Path) -> None:
    table = pq.read_table(written(logs, "parquet"))
    assert table.schema.names == NAMES
    types = {"string": "string", "int": "int64", "float": "double", "bool": "bool"}
    assert [str(field.type) for field in table.schema] == [types[column.type] for column in COLUMNS]
    a, b, c, d, q = table.to_pylist()
    assert (a["id"], a["model"], a["task"], a["epoch"], a["base"]) == ("a", "model-a", "nq", 1, "source-a")
    assert (a["predicted"], a["expected"], a["right"], a["hit"]) == (str(Label.MISSING.value),) * 2 + (1.0, 1.0)
    assert (a["decided_by"], a["graders"], a["level"], a["control"]) == ("judge", "judge", "HIGH", False)
    assert (a["grade"], a["confidence"], a["hedges"], a["arm"]) == (None, None, None, None)
    assert (b["grade"], b["control"], b["expected"]) == (4.0, True, Label.ANSWER.value)
    assert (c["predicted"], c["reason"], c["unscored"], c["refused"]) == (None, "no_response", 1.0, None)
    assert (d["predicted"], d["unscored"], d["protocol"], d["perturbation"]) == (None, None, None, a["perturbation"])
    assert (q["arm"], q["hedges"], q["words"], q["base"], q["right"]) == ("clear", 2.0, 10.0, "q", None)


def test_the_forms_tell_the_same(logs: Path) -> None:
    rows = pq.read_table(written(logs, "parquet")).to_pylist()
    lines = [json.loads(line) for line in written(logs, "jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == rows
    with written(logs, "csv").open(newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    assert [cell["id"] for cell in cells] == [one["id"] for one in rows]
    # a spreadsheet must not take it for a formula
    assert (cells[0]["domain"], rows[0]["domain"], cells[0]["grade"]) == ("'=law", "=law", "")


def test_no_number_is_nan(logs: Path) -> None:
    values: list[Any] = [value for path in logs.iterdir() for one in tidy_rows(str(path)) for value in one.values()]
    assert not any(isinstance(value, float) and math.isnan(value) for value in values)


@pytest.mark.parametrize("name, told", [("rows.xlsx", "choose such an ending"), ("rows.csv", "no log with scored")])
def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "empty").mkdir()
    done = CliRunner().invoke(main, ["rows", str(tmp_path / "empty"), "-o", str(tmp_path / name)])
    assert done.exit_code == 1
    assert told in done.output
    assert [one.name for one in tmp_path.iterdir()] == ["empty"]


def test_every_column_is_in_the_page() -> None:
    page = Path(__file__).parents[3].joinpath("docs/rows.md").read_text(encoding="utf-8")
    for column in COLUMNS:
        assert f"| `{column.name}` | {column.type} |" in page
        assert column.meaning in page


def test_without_pyarrow_one_line_says_what_to_do(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    output = tmp_path / "out" / "rows.parquet"
    done = CliRunner().invoke(main, ["rows", str(logs), "-o", str(output)])
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert "needs pyarrow; pip install pyarrow, or name a .csv or .jsonl" in done.output
    assert list(output.parent.iterdir()) == []
