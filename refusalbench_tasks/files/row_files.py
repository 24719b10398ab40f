"""Files of rows that are written batch by batch, whole or not at all."""

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from refusalbench_tasks.errors import DataError

SUFFIXES = (".jsonl", ".parquet")


class RowFile(Protocol):
    """A file that takes rows."""

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows."""


@contextmanager
def row_file(path: Path) -> Iterator[RowFile]:
    """Open a JSONL or Parquet file for rows; it has its name once all are written, and is gone if anything fails.

    A Parquet file takes its columns and types from the first batch. Raises DataError for another suffix, and for a
    place that can't be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise DataError(f"{path}: unknown format '{path.suffix}'; use one of {', '.join(SUFFIXES)}")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (_jsonl if path.suffix.lower() == ".jsonl" else _parquet)(part) as rows:
            yield rows
        os.replace(part, path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        part.unlink(missing_ok=True)


class _Lines:
    def __init__(self, path: Path) -> None:
        self._file = path.open("x", encoding="utf-8")

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def close(self) -> None:
        self._file.close()


class _Table:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pylist(list(rows), schema=self._writer.schema if self._writer else None)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._path, table.schema, compression="zstd")
        self._writer.write_table(table)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


@contextmanager
def _jsonl(path: Path) -> Iterator[RowFile]:
    lines = _Lines(path)
    try:
        yield lines
    finally:
        lines.close()


@contextmanager
def _parquet(path: Path) -> Iterator[RowFile]:
    table = _Table(path)
    try:
        yield table
    finally:
        table.close()
