"""Rows of local files: JSONL, JSON, CSV and Parquet."""

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.files.documents import file_at, json_value, lone_surrogate, not_utf8, read_text
from refusalbench_tasks.files.spreadsheet import LONGEST_CELL, check_columns

SUFFIXES = (".jsonl", ".json", ".csv", ".parquet")
BUNDLED_LICENCE = "Apache-2.0"
PARQUET_BATCH = 2_000
TASK_DATA = "'hub', 'sample', 'worlds' or"
"""What `data` of a task may be beside a path."""
_PARQUET_MAGIC = b"PAR1"


@dataclass(frozen=True)
class Row:
    """One raw row and the place it came from, for error messages."""

    source: str
    place: str
    values: Mapping[str, Any]


def read_rows(name: str | Path, about: str = "data", values: str = TASK_DATA) -> list[Row]:
    """Return the rows of a file; the format follows from the suffix.

    JSON is an array of objects, or an object with such an array under `data`. Raises DataError for a missing file
    (`about` is the argument that named it, `values` is what else that may be), an unknown suffix, and content that is
    not of that format.
    """
    rows = list(each_row(name, about, values))
    if not rows:
        raise DataError(f"{Path(name).expanduser()}: the file has no rows")
    return rows


def each_row(name: str | Path, about: str = "data", values: str = TASK_DATA) -> Iterator[Row]:
    """Yield the rows of a file one by one, for files larger than memory; errors as in `read_rows`.

    A JSON file is read as a whole all the same.
    """
    path = file_at(name, about, f"{about} is {values} the path of a file ({', '.join(SUFFIXES)})")
    readers = {".jsonl": _jsonl, ".json": _json, ".csv": _csv, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"{path}: unknown format '{path.suffix}'; use one of {', '.join(SUFFIXES)}")
    try:
        if reader is not _parquet and _is_parquet(path):
            raise DataError(f"{path}: this is a Parquet file, not {path.suffix}; give it the ending .parquet")
        for place, content in reader(path):
            yield row_of(path.name, place, content)
    except UnicodeDecodeError as error:
        raise not_utf8(str(path), error) from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None


def bundled_rows(name: str) -> list[Row]:
    """Return the rows of a file that is shipped with the package, under BUNDLED_LICENCE; it is read once."""
    return list(_bundled(name))


@cache
def _bundled(name: str) -> tuple[Row, ...]:
    with resources.as_file(resources.files("refusalbench_tasks.datasets") / "data" / name) as path:
        return tuple(read_rows(path))


def row_of(source: str, place: str, values: object) -> Row:
    """Return a row in which NaN, as tables write a missing value, is None.

    Raises DataError for what is no object, and for half of a surrogate pair, which no log can hold.
    """
    if not isinstance(values, Mapping):
        raise DataError(f"{source}, {place}: expected an object, found {type(values).__name__}")
    if lone_surrogate(dict(values)):
        field = next(name for name, value in values.items() if lone_surrogate([name, value]))
        raise RowError(source, place, str(field), "half of a surrogate pair (U+D800 to U+DFFF); repair the text")
    return Row(source, place, {field: None if _is_nan(value) else value for field, value in values.items()})


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC


def _jsonl(path: Path) -> Iterator[tuple[str, object]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"line {number}", json_value(line, path.name, f"line {number}")


def _json(path: Path) -> Iterator[tuple[str, object]]:
    content = json_value(read_text(path, str(path)), path.name)
    rows = content.get("data") if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise DataError(f"{path.name}: expected an array of rows, or an object with an array under 'data'")
    for number, values in enumerate(rows, 1):
        yield f"row {number}", values


def _csv(path: Path) -> Iterator[tuple[str, object]]:
    csv.field_size_limit(LONGEST_CELL)
    number = 0
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines, strict=True)
        try:
            check_columns(path.name, reader.fieldnames or ())
            for number, values in enumerate(reader, 1):
                if None in values or None in values.values():
                    raise DataError(f"{path.name}, row {number}: the number of cells differs from the header's")
                yield f"row {number}", {key: cell for key, cell in values.items() if cell != ""}
        except csv.Error as error:
            raise DataError(f"{path.name}, row {number + 1}: not valid CSV ({error})") from None


def _parquet(path: Path) -> Iterator[tuple[str, object]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        check_columns(path.name, pq.read_schema(path).names)
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(PARQUET_BATCH):
                for values in batch.to_pylist():
                    number += 1
                    yield f"row {number}", values
    except DataError:
        raise
    except (OSError, ValueError, TypeError, LookupError, ArithmeticError, NotImplementedError, pa.ArrowException) as e:
        reason = (str(e).strip().splitlines() or [type(e).__name__])[0]
        raise DataError(f"{path.name}: not a readable Parquet file ({reason})") from None
