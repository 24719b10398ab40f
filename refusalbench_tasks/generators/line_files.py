"""JSON lines that are written one by one, and what has to be known of all of them afterwards."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic_core import from_json

_BATCH = 5000


@dataclass(frozen=True)
class LineFile:
    """A file of JSON lines: how many, its SHA-256, and the first row of each kind (fields, types)."""

    path: Path
    number: int
    sha256: str
    examples: list[dict[str, Any]]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, one at a time."""
        with self.path.open("rb") as file:
            yield from map(from_json, file)


def write_lines(path: Path, lines: Iterable[bytes]) -> LineFile:
    """Write lines of JSON objects, each with its end, and return what the file holds."""
    digest, examples, number = sha256(), dict[object, dict[str, Any]](), 0
    with path.open("wb") as file:
        for number, line in enumerate(lines, 1):  # noqa: B007
            file.write(line)
            digest.update(line)
            row = from_json(line)
            examples.setdefault(_kind(row), row)
    return LineFile(path, number, digest.hexdigest(), list(examples.values()))


def _kind(row: Mapping[str, Any]) -> object:
    # names first, and types behind them: half the time of pairs
    return *row, *[frozenset(map(type, value)) if type(value) is list else type(value) for value in row.values()]


def write_parquet(path: Path, lines: LineFile, nested: Iterable[str]) -> None:
    """Write rows as Parquet, some thousand at a time. `nested` are the fields that are written as JSON text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = dict.fromkeys(name for row in lines.examples for name in row)
    nested = set(nested)

    def flat(row: Mapping[str, Any]) -> dict[str, Any]:
        return {name: json.dumps(row[name]) if name in nested and name in row else row.get(name) for name in names}

    schema = pa.Table.from_pylist([flat(row) for row in lines.examples]).schema
    rows = map(flat, lines.rows())
    with pq.ParquetWriter(path, schema) as file:
        while batch := list(islice(rows, _BATCH)):
            file.write_table(pa.Table.from_pylist(batch, schema=schema))
