"""Tables as text and as CSV."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from refusalbench_tasks.terminal import one_line


def columns(rows: Sequence[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """Return a text table with aligned columns; numbers to the right, NaN as `undefined`."""
    lines = [[str(h) for h in head]] * bool(head) + [[_cell(cell) for cell in row] for row in rows]
    if not lines:
        return "(none)"
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    right = [bool(rows) and all(isinstance(row[k], int | float) for row in rows) for k in range(len(widths))]
    return "\n".join("  ".join(map(_padded, line, widths, right)).rstrip() for line in lines)


def _padded(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows with equal keys as CSV, whole or not at all: NaN is empty, and no text is a formula."""
    from refusalbench_tasks.files.spreadsheet import table_csv
    from refusalbench_tasks.files.writing import write_whole

    write_whole(path, table_csv(list(rows[0]) if rows else [], rows))


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "undefined" if math.isnan(value) else f"{value:.3f}"
    return one_line(str(value))
