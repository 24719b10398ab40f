"""A table of replies to a file: Parquet, CSV or JSON lines, by the file's ending."""

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import jsonl, write_whole
from refusalbench_tasks.sheets import sheet_csv

SUFFIXES = (".parquet", ".csv", ".jsonl")


def write_table(path: Path, table: "pd.DataFrame") -> None:
    """Write a table, whole or not at all.

    Raises DataError for another ending, and for a place that can't be written.

    Mappings are JSON texts in Parquet and CSV, lists in CSV; a text in CSV is none that
    a spreadsheet takes for a formula. What is not known is null, in CSV blank.
    """
    if path.suffix not in SUFFIXES:
        raise DataError(
            f"{path}: rows are written as {', '.join(SUFFIXES)}; choose such an ending"
        )
    plain = table.astype(object).where(table.notna(), None)
    if path.suffix == ".jsonl":
        write_whole(path, jsonl(plain.to_dict("records")))
    elif path.suffix == ".csv":
        rows = plain.map(_text, kinds=(dict, list, tuple)).to_dict("records")
        write_whole(
            path, sheet_csv(list(table.columns), rows).encode("utf-8", "replace")
        )
    else:
        file = io.BytesIO()
        texts = {}
        for name in plain:
            if plain[name].map(lambda cell: isinstance(cell, dict)).any():
                texts[name] = plain[name].map(_text, kinds=(dict,))
        table.assign(**texts).to_parquet(
            file,
            index=False,
            compression="zstd",
        )
        write_whole(path, file.getvalue())


def _text(value: Any, kinds: tuple[type, ...]) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, kinds) else value
