"""A table of replies as a file, read back."""

import json
from pathlib import Path

import pandas as pd
import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.row_writers import write_table

TABLE = pd.DataFrame(
    {
        "reply": ["=1+1", "so"],
        "right": [1.0, None],
        "passages": [["a", "b"], []],
        "knobs": [{"hops": 2}, {}],
    }
)


def test_texts_lists_mappings_and_what_is_unknown_are_in_each_form(
    tmp_path: Path,
) -> None:
    for ending in ("parquet", "csv", "jsonl"):
        write_table(tmp_path / f"rows.{ending}", TABLE)
    parquet = pd.read_parquet(tmp_path / "rows.parquet")
    csv = pd.read_csv(tmp_path / "rows.csv")
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == TABLE.to_dict("records")[0]
    assert json.loads(lines[1])["right"] is None
    assert list(parquet["passages"][0]) == json.loads(csv["passages"][0]) == ["a", "b"]
    assert json.loads(parquet["knobs"][0]) == json.loads(csv["knobs"][0]) == {"hops": 2}
    assert parquet["right"].isna().tolist() == csv["right"].isna().tolist()
    # a spreadsheet would take it for a formula
    assert not csv["reply"][0].startswith("=")


def test_another_ending_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"rows.xlsx: rows are written as \.parquet"):
        write_table(tmp_path / "rows.xlsx", TABLE)
