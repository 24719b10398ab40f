"""Tidy rows to a file as they come: Parquet, CSV or JSON lines, by the file's ending."""

import csv
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.logs.stored import many_objects
from refusalbench_tasks.results.logs.tidy_rows import COLUMNS, TidyRow
from refusalbench_tasks.sheets import plain_cell

_BATCH = 20_000
"""So many rows are a row group of a Parquet file, and held at a time."""


def write_rows(path: Path, rows: Iterable[TidyRow]) -> int:
    """Write rows to a file, whole or not at all, and return their number. Raises DataError for another ending."""
    write = WRITERS.get(path.suffix)
    if write is None:
        raise DataError(f"{path}: rows are written as {', '.join(WRITERS)}; choose such an ending")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    counted = _Counted(rows)
    try:
        with part.open("xb") as file, many_objects():
            write(file, counted)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return counted.number


class _Counted:
    """Rows that are counted as they go by."""

    def __init__(self, rows: Iterable[TidyRow]) -> None:
        self._rows, self.number = rows, 0

    def __iter__(self) -> Iterator[TidyRow]:
        for row in self._rows:
            self.number += 1
            yield row


def _parquet(file: IO[bytes], rows: Iterable[TidyRow]) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise DataError(f"rows: Parquet needs {error.name}; pip install pyarrow, or name a .csv or .jsonl") from None

    types = {"string": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    schema = pa.schema([(column.name, types[column.type]) for column in COLUMNS])
    every = iter(rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(every, _BATCH)):
            columns = {column.name: [row[column.name] for row in batch] for column in COLUMNS}
            writer.write_table(pa.Table.from_pydict(columns, schema=schema))


def _csv(file: IO[bytes], rows: Iterable[TidyRow]) -> None:
    # through a line of text at a time, so that the file stays open for the one who gave it
    lines = csv.writer(_Encoded(file), lineterminator="\n")
    lines.writerow([column.name for column in COLUMNS])
    for row in rows:
        lines.writerow([plain_cell(value) if isinstance(value, str) else value for value in row.values()])


def _jsonl(file: IO[bytes], rows: Iterable[TidyRow]) -> None:
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n")


class _Encoded:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(text.encode("utf-8", "replace"))


WRITERS: dict[str, Callable[[IO[bytes], Iterable[TidyRow]], None]] = {
    ".parquet": _parquet,
    ".csv": _csv,
    ".jsonl": _jsonl,
}
