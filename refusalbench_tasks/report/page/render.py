"""The HTML of a report: one file, no outside request, all outside text escaped."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import chain

from refusalbench_tasks.report.drawing import Picture
from refusalbench_tasks.report.findings import findings_table
from refusalbench_tasks.report.replies import Browsable
from refusalbench_tasks.report.section import Section
from refusalbench_tasks.results.read_offline import own_errors
from refusalbench_tasks.tables import Table

from .html_table import mark_svg, shown_table

GENERATOR = "refusalbench report"


@dataclass(frozen=True)
class Page:
    """What stands on the page; `pictures` are by section and figure."""

    title: str
    runs: str
    failed: Sequence[str]
    """What a reader must know of runs of which nothing is shown."""
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
    lines = chain.from_iterable(section.findings for section in page.sections)
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.from_string(template).render(
        page=page,
        generator=GENERATOR,
        notes=own_errors(line.system.run for line in lines),
        style=(files / "page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=base64.b64encode(digest).decode(),
        mark_svg=mark_svg,
        shown_table=shown_table,
        findings_table=findings_table,
    )
