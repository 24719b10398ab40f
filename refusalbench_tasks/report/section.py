"""One part of a report: the runs over one data set, what was found, their tables and
figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.report.charts import Figure
from refusalbench_tasks.report.figures.catalogue import figures_of
from refusalbench_tasks.report.findings import Findings, refusal_findings
from refusalbench_tasks.report.fix_first import fix_first
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.report.hedging_tables import (
    hedging_findings,
    hedging_overview,
    hedging_tables,
)
from refusalbench_tasks.report.refusal_tables import more_tables, overview
from refusalbench_tasks.report.styles import Looks
from refusalbench_tasks.tables import Table


@dataclass(frozen=True)
class Section:
    """A part of the page: tables at its head, figures, what can't be drawn and why, and
    tables that are folded.
    """

    key: str
    title: str
    warnings: Sequence[str] = ()
    findings: Findings | None = None
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    undrawn: Sequence[tuple[str, str]] = ()
    details: Sequence[Table] = ()
    looks: Looks = field(default_factory=dict)


def section_of(group: Group) -> Section:
    """Return the section of runs of one task over the same rows."""
    figures, undrawn = figures_of(group)
    if group.systems[0].run.refusal:
        findings = refusal_findings(group)
        tables = [overview(group), *fix_first(group)]
        details = more_tables(group)
    else:
        findings = hedging_findings(group)
        tables = [hedging_overview(group)]
        details = hedging_tables(group)
    looks = {system.label: system.look for system in group.systems}
    return Section(
        group.key,
        group.title,
        group.warnings,
        findings,
        tables,
        figures,
        undrawn,
        [table for table in details if table.rows],
        looks,
    )
