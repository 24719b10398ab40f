"""What was found of each system on each task: the first thing on the page."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.estimate_cells import cells
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.sentences import percent, refusal_sentence
from refusalbench_tasks.results.read_offline import own_errors, told_bounds
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
    bounds: str

    def value(self, column: str) -> Estimate:
        """Return the value in a column; one that a run of this kind lacks is
        unknown.
        """
        return self.values.get(column, Estimate())


@dataclass(frozen=True)
class Findings:
    """The lines of a section under the columns that any of them has a value for."""

    group: Group
    columns: Sequence[str]
    lines: Sequence[Finding]

    def table(self) -> Table:
        """Return the lines as data, with the full name of each model."""
        rows: list[TableRow] = []
        for line in self.lines:
            system = line.system
            row: TableRow = {"system": system.label, "model": system.run.model}
            for name in self.columns:
                row |= cells(line.value(name), name)
            row["unscored"] = line.unscored
            row["reasons"] = line.reasons
            row["in words"] = line.sentence
            row["bounds"] = line.bounds
            rows.append(row)
        return Table("findings", "What was found", rows)


def note_of(groups: Sequence[Findings]) -> str:
    """Return what has to be known to read the columns of groups."""
    names = dict.fromkeys(name for group in groups for name in group.columns)
    notes = [f"{name}: {_NOTES[name]}" for name in names if name in _NOTES]
    notes.append(
        "unscored: replies of which we do not know what they are, with the reasons, in"
        " no rate"
    )
    text = "; ".join(notes)
    sentences = [f"{text[:1].upper()}{text[1:]}."]
    sentences.append("Small print: 95 % CI by base question, and n.")
    for group in groups:
        sentences += own_errors(line.system.run for line in group.lines)
    return " ".join(dict.fromkeys(sentences))


def findings(
    group: Group,
    values_of: Callable[[SystemView], Mapping[str, Estimate]],
    sentence_of: Callable[[SystemView], str],
) -> Findings:
    """Return what was found of each system, without the columns in which none has a
    value.
    """
    lines = []
    for system in group.systems:
        sentence = sentence_of(system)
        bounds = told_bounds(system.run)
        line = Finding(
            system,
            values_of(system),
            *unscored(system),
            sentence,
            bounds,
        )
        lines.append(line)
    known: dict[str, bool] = {}
    for line in lines:
        for name, value in line.values.items():
            known[name] = known.get(name, False) or value.known
    return Findings(group, [name for name in known if known[name]], lines)


def refusal_findings(group: Group) -> Findings:
    """Return what was found in runs of `nq` or `garage`."""
    return findings(group, _refusal_values, refusal_sentence)


def _refusal_values(system: SystemView) -> dict[str, Estimate]:
    headline = system.main_names[0]
    return {
        label_of(headline): system.number(headline),
        "false refusals": system.number("false_refusal_rate"),
        "missed refusals": system.number("missed_refusal_rate"),
        "right category": system.number("category_accuracy"),
        GRADED: _right_among_graded(system),
        "calibration error": system.number("ece"),
    }


def _right_among_graded(system: SystemView) -> Estimate:
    """Return the share of graded answers that are right; its n alone where answer
    accuracy is withheld.
    """
    rows = system.rows
    attempts = (rows[["expected", "predicted"]] == Label.ANSWER.value).all(axis=1)
    graded = attempts & rows["right"].notna()
    share = system.share((rows["right"] == 1).to_numpy(), graded.to_numpy())
    return share if system.number("answer_accuracy").known else share.withheld


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
