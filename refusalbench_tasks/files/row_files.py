"""In transition: see safe_writing.write_rows."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from refusalbench_tasks.safe_writing import write_rows


class Rows:
    """Rows that are written at the end."""

    def __init__(self) -> None:
        self.rows: list[Mapping[str, Any]] = []

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows."""
        self.rows += rows


@contextmanager
def row_file(path: Path) -> Iterator[Rows]:
    """Give something that takes rows, and write them."""
    found = Rows()
    yield found
    write_rows(path, found.rows)
