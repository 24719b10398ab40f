"""The HTML of a report: one file, no outside request, all outside text escaped."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Self

from refusalbench_tasks.report.charts import Chart, HeatMap, HeatMaps
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.first_screen import COLUMNS
from refusalbench_tasks.report.page.findings import ShownTask
from refusalbench_tasks.report.page.marks import mark_svg
from refusalbench_tasks.report.page.shown_table import ShownTable, shown_table
from refusalbench_tasks.report.replies import FIELDS, Packed
from refusalbench_tasks.tables import Table, TableRow

GENERATOR = "refusalbench report"


@dataclass(frozen=True)
class ShownFigure:
    """A figure as the page shows it: SVG that follows the page's colours."""

    key: str
    title: str
    source: str
    formula: str
    file: str
    table: ShownTable
    svg: Any = ""

    def drawn(self, svg: str) -> Self:
        """Return the figure with its picture."""
        from markupsafe import Markup

        # all text in it is escaped
        return replace(self, svg=Markup(svg))


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


def shown_figure(figure: Figure, section: str, models: Mapping[str, str] | None = None) -> ShownFigure:
    """Return a figure for the page, without its picture."""
    file = f"{section}-{figure.key}"
    table = shown_table(Table(figure.key, figure.title, read_table(figure.chart)), section, models)
    return ShownFigure(figure.key, figure.title, figure.source, figure.formula, file, table)


def read_table(chart: Chart) -> list[TableRow]:
    """Return the numbers of a chart as people read them: of heat maps as matrices, else as in its files."""
    match chart:
        case HeatMap():
            return chart.matrix()
        case HeatMaps():
            return chart.matrix()
        case _:
            return chart.table()
