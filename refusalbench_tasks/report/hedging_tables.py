"""The tables of `bluff` runs beside the main metrics: by arm, by topic, by term, and hedged against plain answers."""

from collections.abc import Sequence

from refusalbench_tasks.metrics.arm_names import MEASURES
from refusalbench_tasks.metrics.hedging_arms import arm_estimates
from refusalbench_tasks.metrics.hedging_parts import by_topic, term_uses
from refusalbench_tasks.metrics.hedging_repeats import MEASURES as REPEATED
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.tables import Table, TableRow

_SIGNS = ("auroc_confidence", "auroc_hedging", "aurc_confidence", "aurc_hedging", "hedged_correctness",
          "plain_correctness", "hedged_correctness_difference", "hedges_per_100_words_clear",
          "hedges_per_100_words_ambiguous", "hedges_per_100_words_difference",
          "hedge_difference_at_equal_length", "source_awareness", "source_diversity")  # fmt: skip

_WORDING = (
    *(
        f"{name}_{part}"
        for name in ("decisiveness", "named_conflict", "named_gap")
        for part in ("clear", "ambiguous", "difference")
    ),
    "decisiveness_hedge_strength_correlation",
    "decisiveness_hedged_correlation",
)


def hedging_tables(tallies: Sequence[HedgingTally]) -> list[Table]:
    """Return the tables of arms and of what hedges and confidence tell, and of epochs where a run has several."""
    repeats = [_named(t, [f"within_question_variance_{name}" for name in REPEATED]) for t in tallies if _repeated(t)]
    note = "Variance within a question and arm over epochs, pooled; n is the questions and arms with two or more."
    return [
        _arms(tallies),
        _signs(tallies),
        *_wording(tallies),
        *([Table("epochs", "Epoch to epoch", repeats, note)] if repeats else []),
    ]


def part_tables(tallies: Sequence[HedgingTally]) -> list[Table]:
    """Return the tables by topic and by term, of the runs that have topics and terms."""
    topics = [row for t in tallies for row in _topics(t)]
    terms = [row for t in tallies for row in _terms(t)]
    found = []
    if topics:
        found.append(
            Table("topics", "By topic", topics, "Undefined where a topic has nothing to tell; few replies tell little.")
        )
    if terms:
        found.append(Table("terms", "By hedge term", terms, _TERMS))
    return found


_TERMS = (
    "Shares of replies with the term, in all and by arm; difference = ambiguous - clear; wrong = share of the graded "
    "answers with it whose correctness is below 0.5"
)


def _arms(tallies: Sequence[HedgingTally]) -> Table:
    rows: list[TableRow] = []
    for t in tallies:
        for arm in next(iter(t.arms.values())):
            row: TableRow = {"model": t.label, "arm": "ambiguous - clear" if arm == "difference" else arm}
            for measure in MEASURES:
                row |= t.arms[measure][arm].cells(measure.replace("_", " "))
            rows.append(row)
    note = (
        "Whether ambiguous sources make a difference at all. Hedge rate = answers with a hedge / answers; p20 = "
        "replies whose confidence is below the 20th percentile of the run; 95 % intervals resample questions."
    )
    return Table("arms", "By arm", rows, note)


def _signs(tallies: Sequence[HedgingTally]) -> Table:
    note = (
        "AUROC: the chance that a wrong answer has the lower confidence, or hedges more densely, than a right one (0.5 "
        "tells nothing). AURC: mean risk over coverages (1 - correctness tells nothing). At equal length: difference "
        "of the arms in hedges per answer, adjusted for words by least squares."
    )
    return Table("signs", "What confidence and hedges tell", [_named(t, _SIGNS) for t in tallies], note)


def _wording(tallies: Sequence[HedgingTally]) -> list[Table]:
    rows = [_named(t, _WORDING) for t in tallies if "decisiveness_clear" in t.metrics]
    note = (
        "Of the answers that a grader was asked about: how firmly they are put (0 to 1), and the share that names a "
        "conflict or a gap of the sources; difference = ambiguous - clear. A list that agrees with the grader has "
        "correlations near -1."
    )
    return [Table("wording", "Wording, as the grader reads it", rows, note)] if rows else []


def _named(tally: HedgingTally, names: Sequence[str]) -> TableRow:
    row: TableRow = {"model": tally.label}
    for name in names:
        row |= tally.value(name).cells(name.replace("_", " "))
    return row


def _repeated(tally: HedgingTally) -> bool:
    return f"within_question_variance_{REPEATED[0]}" in tally.metrics


def _topics(tally: HedgingTally) -> list[TableRow]:
    found: list[TableRow] = []
    for topic, rows in by_topic(tally.run.scored).items():
        arms, main = arm_estimates(rows), main_values(rows)
        row: TableRow = {"model": tally.label, "topic": topic, "replies": len(rows)}
        for arm in ("clear", "ambiguous"):
            for measure in MEASURES[:4]:
                one = arms[measure][arm]
                row |= Value(one.value, one.low, one.high, one.n).cells(f"{measure.replace('_', ' ')} {arm}")
            name = f"refusal_rate_{arm}"
            row |= Value(main[name], n=main[f"refusal_{arm}_n"]).cells(name.replace("_", " "))
        found.append(row)
    return found


def _terms(tally: HedgingTally) -> list[TableRow]:
    return [
        {"model": tally.label, "term": use.term, "replies": use.replies}
        | Value(use.share, n=use.n).cells("share")
        | Value(use.share_clear, n=use.clear_n).cells("clear")
        | Value(use.share_ambiguous, n=use.ambiguous_n).cells("ambiguous")
        | {"difference": use.difference}
        | Value(use.wrong, n=use.graded_n).cells("wrong")
        for use in term_uses(tally.run.scored)
    ]
