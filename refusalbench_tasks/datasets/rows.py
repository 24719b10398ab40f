"""Rows of local files (JSONL, JSON, CSV, Parquet), each with the place it came from."""

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from refusalbench_tasks.bounded_reading import (
    file_at,
    json_value,
    lone_surrogate,
    not_utf8,
    read_text,
    reason_of,
)
from refusalbench_tasks.errors import DataError, RowError, first_of
from refusalbench_tasks.sheets import LONGEST_CELL, check_columns

Contents = Iterator[tuple[str, object]]
"""What stands where in a file."""

BUNDLED_LICENCE = "Apache-2.0"
Entry = TypeVar("Entry")
RECORDED = "recorded"
"""The one column of a first row that says where all replies of a file are from."""


@dataclass(frozen=True)
class Row:
    """One raw row and the place it came from, for error messages."""

    source: str
    place: str
    values: Mapping[str, Any]

    def error(self, field: str, problem: str) -> RowError:
        """Return the error for a field that is wrong."""
        return RowError(
            self.source,
            self.place,
            field,
            problem,
        )


def read_rows(
    name: str | Path,
    about: str = "data",
    values: str = "'hub', 'sample', 'worlds' or",
) -> list[Row]:
    """Return the rows of a file; the format follows from the suffix.

    JSON is an array of objects, or an object with such an array under `data`. `about`
    is the argument that named the file, `values` what else that may be. Raises
    DataError for a file that is missing, without rows or unreadable.
    """
    readers = {".jsonl": _jsonl, ".json": _json, ".csv": _csv, ".parquet": _parquet}
    path = file_at(
        name, about, f"{about} is {values} the path of a file ({', '.join(readers)})"
    )
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(
            f"{path}: unknown format '{path.suffix}'; use one of {', '.join(readers)}"
        )
    try:
        rows = [
            checked_row(path.name, place, content) for place, content in reader(path)
        ]
    except UnicodeDecodeError as error:
        raise not_utf8(str(path), error) from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    if not rows:
        raise DataError(f"{path}: the file has no rows")
    return rows


def reply_rows(name: str | Path) -> list[Row]:
    """Return the rows of a file of replies, each with the model that a first row
    `recorded` names for all.

    Raises DataError as `read_rows`, and for a first row that names no model.
    """
    rows = read_rows(name, "replies", "")
    first = rows[0]
    if set(first.values) != {RECORDED}:
        return rows
    about = first.values[RECORDED]
    model = about.get("model") if isinstance(about, Mapping) else None
    if not isinstance(model, str):
        raise first.error(RECORDED, "expected an object with the name of a 'model'")
    if len(rows) == 1:
        raise DataError(f"{name}: the file has no replies behind its first row")
    return [replace(row, values={"model": model, **row.values}) for row in rows[1:]]


@cache
def bundled_rows(name: str) -> list[Row]:
    """Return the rows of a file that is shipped with the package, under
    BUNDLED_LICENCE.
    """
    file = resources.files("refusalbench_tasks.datasets") / "data" / name
    with resources.as_file(file) as path:
        return read_rows(path)


def checked_row(
    source: str,
    place: str,
    values: object,
) -> Row:
    """Return a row in which NaN, as tables write a missing value, is None.

    Raises DataError for what is no object, and for half of a surrogate pair, which no
    log can hold.
    """
    if not isinstance(values, Mapping):
        raise DataError(
            f"{source}, {place}: expected an object, found {type(values).__name__}"
        )
    checked = {}
    for field, value in values.items():
        if lone_surrogate([field, value]):
            raise RowError(
                source,
                place,
                str(field),
                "half of a surrogate pair (U+D800 to U+DFFF); repair the text",
            )
        is_missing = isinstance(value, float) and math.isnan(value)
        checked[field] = None if is_missing else value
    return Row(source, place, checked)


def entries_by(
    entry_of: Callable[[Row], Entry],
    rows: Sequence[Row],
    id_of: Callable[[Entry], str] | None = None,
) -> list[Entry]:
    """Return what each row says.

    Raises DataError for the first bad row, and says how many more there are.

    With `id_of`, two rows with one id are an error too.
    """
    entries = []
    errors = []
    places: dict[str, str] = {}
    for row in rows:
        try:
            entry = entry_of(row)
            name = id_of(entry) if id_of else row.place
            if places.setdefault(name, row.place) != row.place:
                raise row.error("id", f"'{name}' is also at {places[name]}")
            entries.append(entry)
        except DataError as error:
            errors.append(error)
    if errors:
        raise first_of(errors)
    return entries


def _jsonl(path: Path) -> Contents:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"line {number}", json_value(line, path.name, f"line {number}")


def _json(path: Path) -> Contents:
    content = json_value(read_text(path, str(path)), path.name)
    rows = content.get("data") if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise DataError(
            f"{path.name}: expected an array of rows, or an object with an array under"
            " 'data'"
        )
    yield from _numbered(rows)


def _numbered(rows: Iterable[object]) -> Contents:
    for number, values in enumerate(rows, start=1):
        yield f"row {number}", values


def _csv(path: Path) -> Contents:
    csv.field_size_limit(LONGEST_CELL)
    number = 0
    with path.open(encoding="utf-8-sig", newline="") as lines:
        header = lines.readline()
        lines.seek(0)
        # what spreadsheets write where a comma parts the digits of a number
        delimiter = ";" if ";" in header and "," not in header else ","
        reader = csv.DictReader(
            lines,
            strict=True,
            delimiter=delimiter,
        )
        try:
            check_columns(path.name, reader.fieldnames or ())
            for number, values in enumerate(reader, 1):
                if None in values or None in values.values():
                    raise DataError(
                        f"{path.name}, row {number}: the number of cells differs from"
                        " the header's"
                    )
                filled = {key: cell for key, cell in values.items() if cell != ""}
                yield f"row {number}", filled
        except csv.Error as error:
            raise DataError(
                f"{path.name}, row {number + 1}: not valid CSV ({error})"
            ) from None


def _parquet(path: Path) -> Contents:
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            check_columns(path.name, file.schema_arrow.names)
            rows = file.read().to_pylist()
    except DataError:
        raise
    except Exception as error:
        # the library raises errors of many kinds for a broken file
        raise DataError(
            f"{path.name}: not a readable Parquet file ({reason_of(error)})"
        ) from None
    yield from _numbered(rows)
