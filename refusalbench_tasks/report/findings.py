"""What was found of each system on each task: the first thing on the page."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.sentences import percent
from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.tables import Table, TableRow


@dataclass(frozen=True)
class Finding:
    """One system: what its replies say, the share unscored with its reasons, and the
    bounds of its rates.
    """

    system: SystemView
    sentence: str
    unscored: str
    reasons: str
    bounds: str


def findings(group: Group, sentence_of: Callable[[SystemView], str]) -> list[Finding]:
    """Return what was found of each system."""
    lines = []
    for system in group.shown:
        share, reasons = unscored(system)
        bounds = told_bounds(system.run)
        lines.append(
            Finding(
                system,
                sentence_of(system),
                share,
                reasons,
                bounds,
            )
        )
    return lines


def findings_table(lines: Sequence[Finding]) -> Table:
    """Return how much is unscored of each system, and what its rates could be."""
    rows: list[TableRow] = []
    for line in lines:
        row: TableRow = {
            "system": line.system.label,
            "unscored": line.unscored,
            "reasons": line.reasons,
            "bounds": line.bounds,
        }
        rows.append(row)
    return Table("findings", "What is not known", rows)


def unscored(system: SystemView) -> tuple[str, str]:
    """Return the share of a run's rows that are unscored, lost or never run, and why; a
    word on replies not given.
    """
    reasons = Counter(
        {"error": system.counts["errors"], "not run": system.run.never_run}
    )
    for reason, count in system.reasons.items():
        reasons[reason.replace("_", " ") or "unknown"] += count
    n = reasons.total()
    text = f"{n} of {system.samples}"
    if n:
        counted = [f"{reason} {count}" for reason, count in sorted((+reasons).items())]
        text += f": {', '.join(counted)}"
    no_reply = system.counts["no reply"]
    if no_reply:
        text += f"; no reply {no_reply} (counts as not right)"
    return percent(n / system.samples) if system.samples else "–", text
