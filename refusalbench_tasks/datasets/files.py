"""Rows of local files: JSONL, JSON, CSV and Parquet."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.errors import DataError

SUFFIXES = (".jsonl", ".json", ".csv", ".parquet")


@dataclass(frozen=True)
class Row:
    """One raw row and the place it came from, for error messages."""

    source: str
    place: str
    values: Mapping[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file; the format follows from the suffix.

    JSON is an array of objects, or an object with such an array under `data`. Raises DataError for a missing file,
    an unknown suffix, or content that is not of that format.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file; data is 'hub', 'sample' or the path of a file ({', '.join(SUFFIXES)})")
    readers = {".jsonl": _jsonl, ".json": _json, ".csv": _csv, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"{path}: unknown format '{path.suffix}'; use one of {', '.join(SUFFIXES)}")
    try:
        rows = [Row(path.name, place, _mapping(path, place, values)) for place, values in reader(path)]
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None
    if not rows:
        raise DataError(f"{path}: the file has no rows")
    return rows


def _mapping(path: Path, place: str, values: object) -> Mapping[str, Any]:
    if not isinstance(values, Mapping):
        raise DataError(f"{path.name}, {place}: expected an object, found {type(values).__name__}")
    return values


def _jsonl(path: Path) -> Iterator[tuple[str, object]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield f"line {number}", json.loads(line)
            except json.JSONDecodeError as error:
                raise DataError(f"{path.name}, line {number}: not valid JSON ({error.msg})") from None


def _json(path: Path) -> Iterator[tuple[str, object]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DataError(f"{path.name}, line {error.lineno}: not valid JSON ({error.msg})") from None
    rows = content.get("data") if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise DataError(f"{path.name}: expected an array of rows, or an object with an array under 'data'")
    for number, values in enumerate(rows, 1):
        yield f"row {number}", values


def _csv(path: Path) -> Iterator[tuple[str, object]]:
    csv.field_size_limit(10_000_000)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        for number, values in enumerate(reader, 1):
            if None in values or None in values.values():
                raise DataError(f"{path.name}, row {number}: the number of cells differs from the header's")
            yield f"row {number}", {key: cell for key, cell in values.items() if cell != ""}


def _parquet(path: Path) -> Iterator[tuple[str, object]]:
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, ValueError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({str(error).splitlines()[0]})") from None
    for number, values in enumerate(table.to_pylist(), 1):
        yield f"row {number}", values
