"""A table of replies to a file: Parquet, CSV or JSON lines, by the file's ending."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import jsonl, write_whole
from refusalbench_tasks.sheets import plain_cell

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".parquet", ".csv", ".jsonl")
_OBJECTS = ("knobs", "factors", "terms")
_LISTS = ("accepted", "graders", "references", "retrieved", "passages")


def write_rows(path: Path, table: "pd.DataFrame") -> None:
    """Write a table, whole or not at all. Raises DataError for another ending, and for a place that can't be written.

    Lists and mappings are lists and JSON texts in Parquet, JSON in the others; a text in CSV is none that a spreadsheet
    takes for a formula. What is not known is null, in CSV blank.
    """
    if path.suffix not in SUFFIXES:
        raise DataError(f"{path}: rows are written as {', '.join(SUFFIXES)}; choose such an ending")
    if path.suffix == ".jsonl":
        write_whole(path, jsonl(_records(table)))
    elif path.suffix == ".csv":
        flat = _with_json(table, (*_OBJECTS, *_LISTS))
        texts = {
            name: [plain_cell(one) if isinstance(one, str) else one for one in flat[name]]
            for name in flat.columns
            if flat[name].dtype == object
        }
        write_whole(path, flat.assign(**texts).to_csv(index=False).encode("utf-8", "replace"))
    else:
        write_whole(path, _parquet(table))


def _parquet(table: "pd.DataFrame") -> bytes:
    import io

    file = io.BytesIO()
    listed = {name: [None if _unknown(one) else list(one) for one in table[name]] for name in _LISTS if name in table}
    _with_json(table, _OBJECTS).assign(**listed).to_parquet(file, index=False, compression="zstd")
    return file.getvalue()


def _with_json(table: "pd.DataFrame", columns: tuple[str, ...]) -> "pd.DataFrame":
    made = {
        name: [None if _unknown(one) else json.dumps(one, ensure_ascii=False) for one in table[name]]
        for name in columns
        if name in table
    }
    return table.assign(**made)


def _records(table: "pd.DataFrame") -> list[dict[str, Any]]:
    return [
        {name: None if _unknown(value) else value for name, value in row.items()} for row in table.to_dict("records")
    ]


def _unknown(value: Any) -> bool:
    # NaN alone differs from itself
    return value is None or (isinstance(value, float) and value != value)
