"""The HTML of a report: one file, no outside request, all outside text escaped."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from refusalbench_tasks.report.drawing import Picture
from refusalbench_tasks.report.findings import NO_SHARES, Finding, Findings, note_of
from refusalbench_tasks.report.page.html_table import mark_svg, shown_table
from refusalbench_tasks.report.replies import Browsable
from refusalbench_tasks.report.section import Section
from refusalbench_tasks.report.sentences import percent
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.tables import Table

GENERATOR = "refusalbench report"


@dataclass(frozen=True)
class Page:
    """What stands on the page; `pictures` are by section and figure."""

    title: str
    runs: str
    sections: Sequence[Section]
    pictures: Mapping[tuple[str, str], Picture]
    replies: Browsable | None
    logs: Table


def render(page: Page) -> str:
    """Return the page as HTML."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    files = resources.files("refusalbench_tasks.report.page")
    text = {
        name: (files / f"page.{name}").read_text(encoding="utf-8")
        for name in ("html", "css", "js")
    }
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    replies = page.replies
    found = [one.findings for one in page.sections if one.findings]
    return environment.from_string(text["html"]).render(
        title=page.title,
        runs=page.runs,
        generator=GENERATOR,
        findings=[_findings(one) for one in found],
        note=note_of(found),
        sections=[_section(one, page.pictures) for one in page.sections],
        # its letters that could end the data block are escaped
        replies=replies
        and {
            "json": Markup(replies.json),
            "filters": replies.filters,
            "note": replies.note,
        },
        logs=shown_table(page.logs, "report"),
        style=Markup(text["css"]),
        script=Markup(text["js"]),
        script_hash=base64.b64encode(
            hashlib.sha256(text["js"].encode()).digest()
        ).decode(),
    )


def _section(
    section: Section, pictures: Mapping[tuple[str, str], Picture]
) -> dict[str, Any]:
    from markupsafe import Markup

    figures = [
        {
            "key": one.key,
            "title": one.title,
            "source": one.source,
            "formula": one.formula,
            "file": f"{section.key}-{one.key}",
            # all text in it is escaped by what draws it
            "svg": Markup(pictures[section.key, one.key].on_page),
            "table": shown_table(
                Table(one.key, one.title, one.chart.table()), section.key
            ),
        }
        for one in section.figures
    ]
    return {
        "key": section.key,
        "title": section.title,
        "warnings": section.warnings,
        "undrawn": section.undrawn,
        "tables": [shown_table(table, section.key) for table in section.tables],
        "figures": figures,
        "details": [shown_table(table, section.key) for table in section.details],
    }


def _findings(found: Findings) -> dict[str, Any]:
    lines = [_line(one, found.columns) for one in found.lines]
    group = found.group
    return {
        "key": group.key,
        "title": group.title,
        "columns": found.columns,
        "lines": lines,
    }


def _line(one: Finding, columns: Sequence[str]) -> dict[str, Any]:
    from markupsafe import Markup

    system = one.system
    values = [{"name": name, **_written(name, one.values[name])} for name in columns]
    return {
        "label": system.label,
        "model": system.run.model,
        "mark": Markup(mark_svg(system.look)),
        "shown": values,
        "unscored": one.unscored,
        "reasons": one.reasons,
        "sentence": one.sentence,
        "bounds": one.bounds,
    }


def _written(name: str, one: Estimate) -> dict[str, str]:
    if not one.known:
        return {"text": "–", "small": f"undefined, n={one.n:,.0f}"}
    n = f"n={one.n:,.0f}"
    if name in NO_SHARES:
        ends = f"{one.low:.2f} to {one.high:.2f}"
        text = f"{one.value:.2f}"
    else:
        ends = f"{100 * one.low:.0f} to {100 * one.high:.0f}\u00a0%"
        text = percent(one.value)
    return {"text": text, "small": f"{ends if one.has_interval else 'no CI'}, {n}"}
