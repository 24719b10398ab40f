"""A table of a report."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.files.spreadsheet import table_csv

TableRow = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows with equal keys, a name for files, a title, and what has to be known to read it."""

    key: str
    title: str
    rows: Sequence[TableRow]
    note: str = ""

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.rows[0]) if self.rows else []

    def as_csv(self) -> str:
        """Return the table as CSV: NaN is empty, and no text is one that a spreadsheet takes for a formula."""
        return table_csv(self.columns, self.rows)

    def as_json(self) -> str:
        """Return the table as a JSON list of objects: NaN is null."""
        rows = [{name: _json_cell(value) for name, value in row.items()} for row in self.rows]
        return json.dumps(rows, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _json_cell(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
