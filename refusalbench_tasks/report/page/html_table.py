"""Tables and values as the page shows them."""

import math
from typing import Any

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


def shown_table(table: Table, section: str) -> dict[str, Any]:
    """Return a table for the page: title, file, note, heads (name, kind) and rows of
    cells (`_cell`).

    A value, its CI and its n share one cell, and columns without any value are left
    out.
    """
    names = table.columns
    joined = {name for name in names if f"{name} low" in names and f"{name} n" in names}
    hidden = {f"{name} {end}" for name in joined for end in ("low", "high", "n")}
    columns = [
        name
        for name in names
        if name not in hidden and any(_is_there(row[name]) for row in table.rows)
    ]
    numeric = {
        name
        for name in columns
        if all(isinstance(row[name], int | float) for row in table.rows)
    }
    heads = [
        {"name": name, "kind": "number" if name in numeric else "text"}
        for name in columns
    ]
    rows = [
        [_cell(row, name, name in joined, name in numeric) for name in columns]
        for row in table.rows
    ]
    return {
        "title": table.title,
        "file": f"{section}-{table.key}",
        "heads": heads,
        "rows": rows,
        "note": table.note,
    }


def _is_there(value: object) -> bool:
    return not (
        value is None or value == "" or (isinstance(value, float) and math.isnan(value))
    )


def _cell(row: TableRow, name: str, joined: bool, number: bool) -> dict[str, Any]:
    """Return one cell: what is shown, in small print below it too, and what it is
    sorted by.
    """
    value = row[name]
    if not number:
        text = str(value) if _is_there(value) else ""
        return {
            "text": text,
            "kind": "text" if len(text) <= _LONG else "long",
            "small": "",
            "value": None,
        }
    if not math.isfinite(value):
        return {
            "text": "",
            "kind": "number",
            "small": "undefined" if joined else "",
            "value": None,
        }
    text = (
        f"{value:,.0f}"
        if value == int(value) and (isinstance(value, int) or abs(value) > 1)
        else f"{value:.3f}"
    )
    return {
        "text": text,
        "kind": "number",
        "small": _small(row, name) if joined else "",
        "value": float(value),
    }


def _small(row: TableRow, name: str) -> str:
    low = row[f"{name} low"]
    high = row[f"{name} high"]
    n = row[f"{name} n"]
    interval = "" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]\n"
    return interval + (f"n={n:,.0f}" if n else "")


def mark_svg(look: Look) -> str:
    """Return the mark that a system has in every figure."""
    return (
        '<svg class="mark" viewBox="0 0 12 12" width="12" height="12"'
        f' aria-hidden="true"><path d="{_SHAPES[look.marker]}"'
        f' fill="{look.colour}"/></svg>'
    )
