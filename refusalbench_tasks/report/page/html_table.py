"""Tables and values as the page shows them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.report.styles import Look
from refusalbench_tasks.tables import Table, TableRow

_LONG = 40
"""Longer texts get a wide column and are broken anywhere."""
_SHAPES = {
    "o": "M6 1.5A4.5 4.5 0 1 1 5.99 1.5Z",
    "s": "M2 2H10V10H2Z",
    "D": "M6 .8L11.2 6L6 11.2L.8 6Z",
    "^": "M6 1L11 10.5H1Z",
    "v": "M6 11L11 1.5H1Z",
    "P": "M4 1H8V4H11V8H8V11H4V8H1V4H4Z",
    "X": (
        "M3.5 1L6 3.5L8.5 1L11 3.5L8.5 6L11 8.5L8.5 11L6 8.5L3.5 11L1 8.5L3.5 6L1 3.5Z"
    ),
    "*": "M6 .5L7.5 4.3L11.5 4.5L8.4 7L9.5 11L6 8.7L2.5 11L3.6 7L.5 4.5L4.5 4.3Z",
}
"""The outline of each marker."""


@dataclass(frozen=True)
class ShownCell:
    """What is shown in a cell, the small print below it, and what it is sorted by."""

    text: str = ""
    kind: str = "text"
    small: str = ""
    value: float | None = None


@dataclass(frozen=True)
class ShownTable:
    """A table for the page: title, file, note, heads (name, kind) and rows."""

    title: str
    file: str
    note: str
    heads: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[ShownCell]]


def shown_table(table: Table, section: str) -> ShownTable:
    """Return a table for the page.

    A value, its CI and its n share one cell, and columns without any value are left
    out.
    """
    names = table.columns
    estimates = {
        name for name in names if f"{name} low" in names and f"{name} n" in names
    }
    parts = {f"{name} {part}" for name in estimates for part in ("low", "high", "n")}
    heads = []
    columns = []
    for name in names:
        values = [row[name] for row in table.rows]
        if name in parts or not any(map(_is_there, values)):
            continue
        if not all(isinstance(value, int | float) for value in values):
            heads.append((name, "text"))
            columns.append([_text_cell(value) for value in values])
            continue
        heads.append((name, "number"))
        if name in estimates:
            columns.append([_estimate_cell(row, name) for row in table.rows])
        else:
            columns.append([_number_cell(value) for value in values])
    rows = list(zip(*columns, strict=True))
    return ShownTable(
        table.title,
        f"{section}-{table.key}",
        table.note,
        heads,
        rows,
    )


def _is_there(value: object) -> bool:
    return value not in (None, "") and not (
        isinstance(value, float) and math.isnan(value)
    )


def _text_cell(value: object) -> ShownCell:
    text = str(value) if _is_there(value) else ""
    return ShownCell(text, "text" if len(text) <= _LONG else "long")


def _number_cell(value: float, small: str = "") -> ShownCell:
    if not math.isfinite(value):
        return ShownCell(kind="number", small=small)
    # a share of 0 or 1 is written as one
    whole = value == int(value) and (isinstance(value, int) or abs(value) > 1)
    text = f"{value:,.0f}" if whole else f"{value:.3f}"
    return ShownCell(
        text,
        "number",
        small,
        float(value),
    )


def _estimate_cell(row: TableRow, name: str) -> ShownCell:
    n = row[f"{name} n"]
    if not math.isfinite(row[name]):
        why = "too few decided\nor graded, n=" if n else "nothing to count, n="
        return _number_cell(row[name], f"{why}{n:,.0f}")
    low = row[f"{name} low"]
    small = "" if math.isnan(low) else f"[{low:.3f}, {row[f'{name} high']:.3f}]\n"
    return _number_cell(row[name], f"{small}n={n:,.0f}" if n else small)


def mark_svg(look: Look) -> str:
    """Return the mark that a system has in every figure."""
    return (
        '<svg class="mark" viewBox="0 0 12 12" width="12" height="12"'
        f' aria-hidden="true"><path d="{_SHAPES[look.marker]}"'
        f' fill="{look.colour}"/></svg>'
    )
