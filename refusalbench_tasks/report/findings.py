"""What was found of each system on each task: the first thing on the page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.tables import Table

from .groups import Group, SystemView
from .sentences import percent


@dataclass(frozen=True)
class Finding:
    """One system: what its replies say, of what share not everything is known and why,
    and the bounds of its rates.
    """

    system: SystemView
    sentence: str
    not_known: str
    reasons: str
    bounds: str


def findings(group: Group, sentence_of: Callable[[SystemView], str]) -> list[Finding]:
    """Return what was found of each system, baselines last."""
    systems = sorted(group.shown, key=lambda system: system.run.baseline)
    lines = []
    for system in systems:
        bounds = told_bounds(system.run).removeprefix("bounds: ")
        unknown, reasons = not_known(system)
        finding = Finding(
            system,
            sentence_of(system),
            unknown,
            reasons,
            bounds,
        )
        lines.append(finding)
    return lines


def findings_table(lines: Sequence[Finding]) -> Table:
    """Return how much is not known of each system, and what its rates could be."""
    rows = []
    for line in lines:
        rows.append(
            {
                "system": line.system.label,
                "not known": line.not_known,
                "reasons": line.reasons,
                "bounds": line.bounds,
            }
        )
    return Table("findings", "What is not known", rows)


def not_known(system: SystemView) -> tuple[str, str]:
    """Return of what share of a run's rows not everything is known, and why: the words
    of the warning, why replies are undecided, and a word on replies not given.
    """
    text = system.not_known
    if system.reasons:
        reasons = [
            f"{count} {reason.replace('_', ' ') or 'unknown'}"
            for reason, count in sorted(system.reasons.items())
        ]
        text += f" (undecided: {', '.join(reasons)})"
    no_reply = system.counts["no reply"]
    if no_reply:
        text += f"; {no_reply} no reply (counts as not right)"
    total = sum(system.unscored.values())
    return percent(total / system.samples) if system.samples else "–", text
