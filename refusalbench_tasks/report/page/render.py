"""The HTML of a report: one file, no outside request, all outside text escaped."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from refusalbench_tasks.report.drawing import Picture
from refusalbench_tasks.report.findings import NO_SHARES, note_of
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

    files = resources.files("refusalbench_tasks.report.page")
    template = (files / "page.html").read_text(encoding="utf-8")
    script = (files / "page.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(script.encode()).digest()
    findings = [section.findings for section in page.sections if section.findings]
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.from_string(template).render(
        page=page,
        generator=GENERATOR,
        findings=findings,
        note=note_of(findings),
        style=(files / "page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=base64.b64encode(digest).decode(),
        mark_svg=mark_svg,
        shown_table=shown_table,
        shown_value=shown_value,
    )


def shown_value(name: str, value: Estimate) -> tuple[str, str]:
    """Return a value of the findings in a column, and its CI and n in small print."""
    n = f"n={value.n:,.0f}"
    if not value.known:
        return "–", f"undefined, {n}"
    if name in NO_SHARES:
        text = f"{value.value:.2f}"
        interval = f"{value.low:.2f} to {value.high:.2f}"
    else:
        text = percent(value.value)
        interval = f"{100 * value.low:.0f} to {100 * value.high:.0f}\u00a0%"
    return text, f"{interval if value.has_interval else 'no CI'}, {n}"
