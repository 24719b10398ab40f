"""The first table of a report: what was found of each model on each task."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.metrics.refusal_calibration import calibration
from refusalbench_tasks.report.finding import hedging_sentence, most_confused, refusal_sentence
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.report.value import NAN, Value
from refusalbench_tasks.results.logs.run import AnyRun
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

COLUMNS = ("false refusals", "missed refusals", "right category", "calibration error", "answer quality")
NOTE = (
    "False refusals: share of answerable rows that are refused (bluff: of replies under clear sources). Missed "
    "refusals: share of unanswerable rows that are answered (bluff: its ambiguous sources may allow an answer). Right "
    "category: share of due refusals with the row's own code. Calibration error: ECE of the stated confidence. Answer "
    "quality: share of graded attempts at answerable rows that are right (bluff: mean correctness of answers). "
    "Bars are 95 % intervals by base question."
)
_UNKNOWN = Value(NAN)


@dataclass(frozen=True)
class Finding:
    """One run in the first table: its names, its colour, the values by the names in `COLUMNS`, and the sentence."""

    label: str
    model: str
    section: str
    look: int
    n: int
    values: Mapping[str, Value]
    sentence: str


def refusal_findings(section: str, tallies: Sequence[Tally], looks: Mapping[str, int]) -> tuple[Finding, ...]:
    """Return what was found in runs of `nq` or `garage`."""
    return tuple(_refusal(section, tally, looks) for tally in tallies)


def hedging_findings(section: str, tallies: Sequence[HedgingTally], looks: Mapping[str, int]) -> tuple[Finding, ...]:
    """Return what was found in runs of `bluff`."""
    return tuple(_hedging(section, tally, looks) for tally in tallies)


def findings_table(findings: Iterable[Finding]) -> Table:
    """Return the first table as data, with the full name of each model."""
    rows: list[TableRow] = []
    for one in findings:
        row: TableRow = {"model": one.label, "full name": one.model, "task": one.section}
        for name in COLUMNS:
            row |= one.values[name].cells(name)
        rows.append(row | {"in words": one.sentence})
    return Table("findings", "What was found", rows, NOTE)


def _refusal(section: str, tally: Tally, looks: Mapping[str, int]) -> Finding:
    false, missed = tally.main["false_refusal_rate"], tally.main["missed_refusal_rate"]
    category = tally.main["category_accuracy"]
    answer = list(Label).index(Label.ANSWER)
    attempts = (tally.expected == answer) & (tally.predicted == answer) & tally.rows.right_is_known
    confused = most_confused(tally.expected, tally.predicted, tally.units) if category.known else None
    values = (false, missed, category, _calibration(tally), tally.share(tally.rows.right, attempts))
    sentence = refusal_sentence(false, missed, category, confused)
    return _finding(section, tally.label, tally.run, looks, len(tally.rows), values, sentence)


def _calibration(tally: Tally) -> Value:
    found = calibration(tally.rows)
    return Value(*(found.get(name, NAN) for name in ("ece", "ece_ci_low", "ece_ci_high", "ece_n")))


def _hedging(section: str, tally: HedgingTally, looks: Mapping[str, int]) -> Finding:
    refused, correct = tally.arms["refusal_rate"]["clear"], tally.value("answer_correctness")
    asi = tally.value("asi")
    null, p = (tally.metrics.get(name, NAN) for name in ("asi_null", "asi_p"))
    sentence = hedging_sentence(refused, correct, asi, null, p)
    values = (refused, _UNKNOWN, _UNKNOWN, tally.value("ece"), correct)
    return _finding(section, tally.label, tally.run, looks, len(tally.run.scored), values, sentence)


def _finding(
    section: str, label: str, run: AnyRun, looks: Mapping[str, int], n: int, values: Sequence[Value], sentence: str
) -> Finding:
    return Finding(label, run.model, section, looks[label], n, dict(zip(COLUMNS, values, strict=True)), sentence)
