"""What was found of each system on each task: the first thing on the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.estimate_cells import cells
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.sentences import percent, refusal_sentence
from refusalbench_tasks.results.read_offline import told_bounds
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

GRADED = "right among graded answers"
"""Of `nq` and `garage` alike; `answer_quality` of `garage` counts refusals as 0."""
NO_SHARES = ("calibration error", "ASI")
"""The columns whose numbers are no shares."""
_NOTES = {
    "calibrated refusal score": (
        "mean of the share of answerable rows answered rightly and the share of"
        " unanswerable rows refused with their own code"
    ),
    "detection F1": "F1 of the decision to refuse",
    "false refusals": "share of answerable rows that are refused",
    "missed refusals": "share of unanswerable rows that are answered",
    "right category": "share of due refusals with the row's own code",
    GRADED: (
        "share of graded answers to answerable rows that are right, shown where answer"
        " accuracy is"
    ),
    "calibration error": "ECE of the stated confidence",
    "ASI": "ambiguity sensitivity index: how much less sure under ambiguous sources",
    "answer correctness": "mean grade of the answers",
    "refusals, clear sources": "share of replies that refuse",
    "refusals, ambiguous sources": (
        "share of replies that refuse, of which some may be due"
    ),
}


@dataclass(frozen=True)
class Finding:
    """One system's line: values by column, the share unscored with its reasons, what
    they say, and their bounds.
    """

    system: SystemView
    values: Mapping[str, Estimate]
    unscored: str
    reasons: str
    sentence: str
    bounds: str = ""


@dataclass(frozen=True)
class Findings:
    """The lines of a section under the columns that any of them has a value for."""

    group: Group
    columns: Sequence[str]
    lines: Sequence[Finding]

    def table(self) -> Table:
        """Return the lines as data, with the full name of each model."""
        rows: list[TableRow] = []
        for one in self.lines:
            row: TableRow = {"system": one.system.label, "model": one.system.run.model}
            for name in self.columns:
                row |= cells(one.values[name], name)
            row |= {
                "unscored": one.unscored,
                "reasons": one.reasons,
                "in words": one.sentence,
            }
            rows.append(row | {"bounds": one.bounds})
        return Table("findings", "What was found", rows)


def note_of(groups: Sequence[Findings]) -> str:
    """Return what has to be known to read the columns of groups."""
    names = dict.fromkeys(name for group in groups for name in group.columns)
    told = "; ".join(f"{name}: {_NOTES[name]}" for name in names if name in _NOTES)
    told += (
        "; unscored: replies of which we do not know what they are, with the reasons,"
        " in no rate"
    )
    return (
        f"{told[:1].upper()}{told[1:]}. Small print: 95 % CI by base question, and n."
    )


def findings(group: Group, lines: Sequence[Finding]) -> Findings:
    """Return the lines of a group under the columns that any has a value for."""
    columns = dict.fromkeys(name for one in lines for name in one.values)
    known = [name for name in columns if any(_known(one, name) for one in lines)]
    filled = []
    for line in lines:
        values = {name: line.values.get(name, Estimate()) for name in columns}
        bounds = told_bounds(line.system.run)
        filled.append(replace(line, values=values, bounds=bounds))
    return Findings(group, known, filled)


def _known(one: Finding, name: str) -> bool:
    return name in one.values and one.values[name].known


def refusal_findings(group: Group) -> Findings:
    """Return what was found in runs of `nq` or `garage`."""
    return findings(group, [_refusal(system) for system in group.systems])


def _refusal(system: SystemView) -> Finding:
    first = system.main_names[0]
    values = {
        label_of(first): system.number(first),
        "false refusals": system.number("false_refusal_rate"),
        "missed refusals": system.number("missed_refusal_rate"),
        "right category": system.number("category_accuracy"),
        GRADED: _right_among_graded(system),
        "calibration error": system.number("ece"),
    }
    return Finding(system, values, *unscored(system), refusal_sentence(system))


def _right_among_graded(system: SystemView) -> Estimate:
    """Return the share of graded answers that are right; its n alone where answer
    accuracy is withheld.
    """
    rows = system.rows
    attempts = rows["expected"].eq(Label.ANSWER.value) & rows["predicted"].eq(
        Label.ANSWER.value
    )
    graded = attempts & rows["right"].notna()
    share = system.share((rows["right"] == 1).to_numpy(), graded.to_numpy())
    if system.number("answer_accuracy").known:
        return share
    return Estimate(n=share.n, units=share.units)


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
    counted = ", ".join(f"{reason} {k}" for reason, k in sorted((+reasons).items()))
    gave_none = system.counts["no reply"]
    none = f"; no reply {gave_none} (counts as not right)" if gave_none else ""
    share = percent(n / system.samples) if system.samples else "–"
    return share, f"{n} of {system.samples}{f': {counted}' if counted else ''}{none}"
