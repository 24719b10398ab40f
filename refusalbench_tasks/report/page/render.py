"""The HTML of a report: one file, no outside request, all outside text escaped."""

import base64
import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from refusalbench_tasks.report.charts import Chart, HeatMap, HeatMaps
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.first_screen import COLUMNS
from refusalbench_tasks.report.page.findings import ShownTask
from refusalbench_tasks.report.page.marks import mark_svg
from refusalbench_tasks.report.replies import FIELDS, Packed
from refusalbench_tasks.tables import Table, TableRow

GENERATOR = "refusalbench report"
_LONG = 40
"""Longer texts get a wide column and are broken anywhere."""


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


@dataclass(frozen=True)
class ShownFigure:
    """A figure as the page shows it: SVG that follows the page's colours."""

    key: str
    title: str
    source: str
    formula: str
    file: str
    svg: Any
    table: ShownTable


@dataclass(frozen=True)
class ShownSection:
    """A section as the page shows it."""

    key: str
    title: str
    warnings: Sequence[str]
    tables: Sequence[ShownTable]
    figures: Sequence[ShownFigure]
    reading: Sequence[ShownTable]
    comparisons: ShownTable | None = None
    complete: Sequence[ShownTable] = ()
    """How complete the runs are, and bounds where something is not known."""
    task: ShownTask | None = None
    """The section's lines of the first table."""


def render(
    title: str,
    runs: str,
    sections: Sequence[ShownSection],
    note: str,
    absent: ShownTable,
    logs: ShownTable,
    replies: Sequence[Packed] = (),
    replies_note: str = "",
) -> str:
    """Return the page; `note` is what has to be known to read its first table."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    files = resources.files("refusalbench_tasks.report.page")
    text = {name: (files / f"page.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    script_hash = base64.b64encode(hashlib.sha256(text["js"].encode()).digest()).decode()
    return environment.from_string(text["html"]).render(
        title=title,
        runs=runs,
        generator=GENERATOR,
        sections=sections,
        tasks=[section.task for section in sections if section.task],
        compared=[section.comparisons for section in sections if section.comparisons],
        complete=[(section.key, section.complete) for section in sections if section.complete],
        columns=COLUMNS,
        note=note,
        replies=replies,
        replies_note=replies_note,
        reply_filters=(*FIELDS, "verdict"),
        marks=[Markup(mark_svg(look)) for look in range(_marks(sections))],
        shown_models=[(label, Markup(mark_svg(look))) for label, look in _looks(sections).items()],
        absent=absent,
        logs=logs,
        style=Markup(text["css"]),
        script=Markup(text["js"]),
        script_hash=script_hash,
    )


def _marks(sections: Sequence[ShownSection]) -> int:
    """Return how many marks the models of the page have."""
    return max((line.look + 1 for section in sections if section.task for line in section.task.lines), default=0)


def _looks(sections: Sequence[ShownSection]) -> dict[str, int]:
    """Return the mark of each name of a run on the page."""
    return {line.label: line.look for section in sections if section.task for line in section.task.lines}


def shown_figure(figure: Figure, section: str, svg: str, models: Mapping[str, str] | None = None) -> ShownFigure:
    """Return a figure for the page."""
    from markupsafe import Markup

    file = f"{section}-{figure.key}"
    table = shown_table(Table(figure.key, figure.title, read_table(figure.chart)), section, models)
    # all text in it is escaped
    return ShownFigure(figure.key, figure.title, figure.source, figure.formula, file, Markup(svg), table)


def read_table(chart: Chart) -> list[TableRow]:
    """Return the numbers of a chart as people read them: of heat maps as matrices, else as in its files."""
    match chart:
        case HeatMap():
            return chart.matrix()
        case HeatMaps():
            return chart.matrix()
        case _:
            return chart.table()


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
