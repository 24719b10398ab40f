"""A table as the page shows it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from refusalbench_tasks.tables import Table

_LONG = 40
"""Longer texts get a wide column and are broken anywhere."""
_TALL = 15
"""Tables of more rows have a scroll bar of their own."""


@dataclass(frozen=True)
class Cell:
    """One cell: what is shown, in small print below it too, and what it is sorted by."""

    text: str
    kind: str
    small: str = ""
    value: float | None = None
    title: str = ""


@dataclass(frozen=True)
class Head:
    """The head of a column, and whether the column holds numbers."""

    name: str
    kind: str


@dataclass(frozen=True)
class ShownTable:
    """A table as the page shows it, and the name of its files."""

    title: str
    file: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    @cached_property
    def html(self) -> Any:
        """Return the table as HTML, all text in it escaped; made once, for a page that is put together twice."""
        from markupsafe import Markup

        return Markup(_html(self, _escaper()))


def shown_table(table: Table, section: str, models: Mapping[str, str] | None = None) -> ShownTable:
    """Return a table for the page: a value, its interval and its n share one cell.

    `models` are the full names of models by those that are shown: a cell that names one tells the full name.
    """
    names = table.columns
    joined = {name for name in names if f"{name} low" in names and f"{name} n" in names}
    hidden = {f"{name} {end}" for name in joined for end in ("low", "high", "n")}
    columns = [name for name in names if name not in hidden]
    numeric = {name for name in columns if all(isinstance(row[name], int | float) for row in table.rows)}
    counts = {name for name in numeric if _all_counts([row[name] for row in table.rows])}
    heads = [Head(name, "number" if name in numeric else "text") for name in columns]
    rows = [
        [_cell(row, name, name in joined, name in numeric, name in counts, models or {}) for name in columns]
        for row in table.rows
    ]
    return ShownTable(table.title, f"{section}-{table.key}", heads, rows, table.note)


def _all_counts(values: Sequence[float]) -> bool:
    """Whether numbers are whole and one is larger than a rate can be."""
    known = [value for value in values if math.isfinite(value)]
    return all(value == int(value) for value in known) and any(abs(value) > 1 for value in known)


def _cell(row: dict[str, Any], name: str, joined: bool, number: bool, count: bool, models: Mapping[str, str]) -> Cell:
    value = row[name]
    if not number:
        text = "" if isinstance(value, float) and math.isnan(value) else str(value)
        return Cell(text, "text" if len(text) <= _LONG else "long", title=models.get(text, ""))
    if not math.isfinite(value):
        return Cell("", "number", small="undefined" if joined else "", value=None)
    small = ""
    if joined:
        low, high, n = row[f"{name} low"], row[f"{name} high"], row[f"{name} n"]
        small = "" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]\n"
        small += "" if math.isnan(n) else f"n={n:,.0f}"
    text = f"{value:,.0f}" if count or not isinstance(value, float) else f"{value:.3f}"
    return Cell(text, "number", small, float(value))


def _html(table: ShownTable, escape: Callable[[str], str]) -> str:
    heads = "".join(
        f'<th scope="col" aria-sort="none" data-kind="{head.kind}">'
        f'<button type="button">{escape(head.name)}</button></th>'
        for head in table.heads
    )
    lines = "".join(f"<tr>{''.join([_td(cell, escape) for cell in row])}</tr>\n" for row in table.rows)
    title, file = escape(table.title), escape(table.file)
    tall = " tall" if len(table.rows) > _TALL else ""
    note = f"{escape(table.note)} " if table.note else ""
    return (
        f'<div class="scroll{tall}" tabindex="0" role="region" aria-label="Table: {title} ({file})">\n'
        f'<table class="sortable">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>\n</div>\n'
        f'<p class="note">{note}<a href="tables/{file}.csv">CSV</a> <a href="tables/{file}.json">JSON</a></p>'
    )


def _td(cell: Cell, escape: Callable[[str], str]) -> str:
    title = f' title="{escape(cell.title)}"' if cell.title else ""
    value = "" if cell.value is None else f' data-value="{cell.value}"'
    small = f"<small>{escape(cell.small)}</small>" if cell.small else ""
    return f'<td class="{cell.kind}"{title}{value}>{escape(cell.text)}{small}</td>'


@cache
def _escaper() -> Callable[[str], str]:
    """Return what escapes a text, and remembers the last ones: tables say the same again and again."""
    from markupsafe import escape

    return lru_cache(maxsize=1 << 12)(lambda text: str(escape(text)))
