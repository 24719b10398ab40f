"""The metrics of `nq` and `garage`, one row each.

docs/metrics.md defines them. A new one is a row here and there; what it counts is in
`refusal_counts` (rates) or `refusal_shares`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from refusalbench_tasks.metrics import refusal_formulas as formulas
from refusalbench_tasks.metrics.metric import Better, Metric, mean, quotient
from refusalbench_tasks.replies.confidence import LEVELS

if TYPE_CHECKING:
    import pandas as pd

CONTROL = "control_"
KIND = "kind_"
"""What stands before the names of metrics of controls, and of the kinds of reply:
`false_refusal` would nearly be the name of a rate.
"""
_PAPER = "RefusalBench, App. D"
_FIGURE_26 = "RefusalBench, Figure 26"
_FIGURE_27 = "RefusalBench, Figure 27"
_CONFIDENCE = "RefusalBench, App. F.2"
_RATES = (
    quotient(
        "answer_accuracy",
        "correct",
        "graded",
        better="higher",
        graded=True,
        main=True,
        source=_PAPER,
    ),
    quotient(
        "refusal_accuracy",
        "hits",
        "coded",
        better="higher",
        main=True,
        coded=True,
        source=_PAPER,
    ),
    quotient(
        "calibrated_refusal_score",
        formulas.both_accuracies,
        formulas.constant(2),
        n=formulas.graded_and_coded,
        better="higher",
        graded=True,
        main=True,
        coded=True,
        source=_PAPER,
    ),
    quotient(
        "false_refusal_rate",
        "false_refusals",
        "answerable",
        better="lower",
        main=True,
        source=_PAPER,
    ),
    quotient(
        "missed_refusal_rate",
        "missed",
        "unanswerable",
        better="lower",
        main=True,
        source=_PAPER,
    ),
    quotient(
        "refusal_rate",
        "all_refusals",
        "refusable",
        better="neither",
        source=_PAPER,
    ),
    quotient(
        "correct_refusal_rate",
        "refusals",
        "unanswerable",
        better="higher",
        source=_PAPER,
    ),
    quotient(
        "detection_precision",
        "refusals",
        lambda c: c["refusals"] + c["false_refusals"],
        defined_if=formulas.both_sides,
        better="higher",
        source=_PAPER,
    ),
    quotient(
        "detection_recall",
        "refusals",
        "unanswerable",
        better="higher",
        source=_PAPER,
    ),
    Metric(
        name="detection_f1",
        formula=formulas.F1,
        n="rows",
        better="higher",
        main=True,
        words="detection F1",
        source=_PAPER,
    ),
    quotient(
        "category_accuracy",
        "hits",
        "coded_refusals",
        better="higher",
        main=True,
        coded=True,
        source=_PAPER,
    ),
    quotient(
        "hierarchical_score",
        formulas.f1_times_category,
        formulas.constant(1),
        n="rows",
        defined_if=formulas.coded_on_both_sides,
        better="higher",
        main=True,
        coded=True,
        source=_PAPER,
    ),
    quotient(
        "hybrid_score",
        formulas.weighted_accuracies,
        "every_row",
        n=formulas.graded_and_coded,
        better="higher",
        graded=True,
        main=True,
        coded=True,
        grounded=True,
        source=_PAPER,
    ),
    quotient(
        "macro_refusal_accuracy",
        formulas.summed_class_accuracies,
        formulas.classes_with_rows,
        n="coded",
        better="higher",
        coded=True,
    ),
    quotient(
        "no_reply_rate",
        "no_reply",
        "asked",
        better="lower",
        logged=True,
    ),
    quotient(
        "unscored_rate",
        "unscored",
        "every_row",
        better="lower",
        logged=True,
    ),
    quotient(
        "answer_accuracy_coverage",
        "graded",
        "every_answerable",
        better="higher",
    ),
)
RATES: Mapping[str, Metric] = {metric.name: metric for metric in _RATES}
"""The metrics of counts (`refusal_counts`), which two runs are compared by as well."""
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
OF_ANSWERS = {metric.name for metric in _RATES if metric.graded}
"""The rates that rest on whether answers are right."""
_CONTROL_RATES = [
    replace(
        RATES[name],
        name=f"{CONTROL}{name}",
        main=False,
        logged=True,
    )
    for name in OF_CONTROLS
]
_KINDS: Mapping[str, Better] = {
    "good_answer": "higher",
    "poor_answer": "lower",
    "correct_code_refusal": "higher",
    "wrong_code_refusal": "lower",
    "false_refusal": "lower",
    "missed_refusal": "lower",
    "no_reply": "lower",
}
KINDS = tuple(_KINDS)
"""The kinds of reply that are known to be right or wrong: the six of the paper's Fig.
26, and none at all.
"""
_SHARES = (
    mean("category_accuracy_lenient", better="higher"),
    mean("category_accuracy_lenient_strict", better="higher"),
    mean("hit_at_k", better="higher", logged=True),
    mean("false_refusal_rate_given_hit", better="lower"),
    mean("false_refusal_rate_given_miss", better="lower"),
    mean("retrieved_k", better="neither", share=False),
    mean(
        "answer_quality",
        better="higher",
        graded=True,
        logged=True,
        source=_FIGURE_27,
    ),
    mean(
        "raf_attempts",
        better="higher",
        graded=True,
        source=_FIGURE_27,
    ),
    mean("raf_not_refused", better="higher", graded=True),
    mean("eligibility", better="higher", graded=True),
    mean(
        "eligibility_attempts",
        better="higher",
        graded=True,
        source=_FIGURE_27,
    ),
    mean("unadjusted_factuality", better="higher", graded=True),
    mean(
        "unadjusted_factuality_attempts",
        better="higher",
        graded=True,
        source=_FIGURE_27,
    ),
    mean("citation_existence", better="higher"),
    mean("citation_precision", better="higher"),
    mean("uncited_answers", better="lower"),
    *(
        mean(
            f"{KIND}{kind}",
            better=better,
            graded=True,
            source=_FIGURE_26,
        )
        for kind, better in _KINDS.items()
    ),
    mean(
        "pair_consistency",
        better="higher",
        graded=True,
        logged=True,
    ),
    mean(
        "quad_consistency",
        better="higher",
        graded=True,
        logged=True,
    ),
    mean(
        "clarification_rate",
        better="higher",
        logged=True,
    ),
    mean(
        "unneeded_clarification_rate",
        better="lower",
        logged=True,
    ),
    mean(
        "asks_about_the_ambiguity",
        better="higher",
        logged=True,
        words="clarifications about the ambiguity",
    ),
)
SHARES: Mapping[str, Metric] = {metric.name: metric for metric in _SHARES}
"""What `refusal_shares` counts, each by its own columns."""
PARTS = ("ece", "ece_answers", "ece_refusals", "ece_answerable", "ece_unanswerable")
"""Of all replies, by what the reply is (paper F.2), by what the row is (released
script).
"""
_ERRORS = [
    Metric(
        name=part,
        formula=formulas.level_error(part),
        n=formulas.stated(part),
        better="lower",
        share=False,
        graded=True,
        logged=part == "ece",
        words=part.replace("ece", "ECE").replace("_", " "),
        source=_CONFIDENCE,
    )
    for part in PARTS
]
_LEVEL_SHARES = [
    quotient(
        f"{level}/share",
        f"{formulas.ALL_REPLIES} {level}",
        formulas.stated(),
        better="neither",
        graded=True,
    )
    for level in LEVELS
]
_LEVEL_ACCURACIES = [
    quotient(
        f"{level}/accuracy",
        f"{formulas.ALL_REPLIES} {level} right",
        f"{formulas.ALL_REPLIES} {level}",
        better="neither",
        graded=True,
        source=_CONFIDENCE,
    )
    for level in LEVELS
]
CALIBRATION = (
    *_ERRORS,
    quotient(
        "brier",
        formulas.squared_error,
        formulas.stated(),
        better="lower",
        share=False,
        graded=True,
        logged=True,
        words="Brier score",
    ),
    *_LEVEL_SHARES,
    *_LEVEL_ACCURACIES,
)
"""How sure replies are, of those that state a level of confidence."""
REFUSAL_METRICS: Mapping[str, Metric] = {
    metric.name: metric for metric in (*_RATES, *_CONTROL_RATES, *_SHARES, *CALIBRATION)
}
"""Every metric of `nq` and `garage`."""


def headline(rows: "pd.DataFrame") -> str:
    """Return the name of the one number that stands for replies, by whether codes were
    asked for.
    """
    return "calibrated_refusal_score" if rows["codes"].all() else "detection_f1"


def defined_metrics(rows: "pd.DataFrame") -> tuple[str, ...]:
    """Return the names of the rates of replies, by whether they are graded against ten
    passages, and asked for codes.

    Without codes it is detection that is measured, and comes first.
    """
    grounded = rows["grounded"].any()
    codes = rows["codes"].all()
    names = [
        name
        for name, metric in RATES.items()
        if (grounded or not metric.grounded) and (codes or not metric.coded)
    ]
    if not codes:
        first = ("detection", "false_refusal", "missed_refusal")
        names.sort(key=lambda name: not name.startswith(first))
    return tuple(names)


def main_metrics(rows: "pd.DataFrame") -> tuple[str, ...]:
    """Return the names of the main metrics among `defined_metrics`; without codes those
    of detection are, too.
    """
    detection = () if rows["codes"].all() else ("detection",)
    return tuple(
        name
        for name in defined_metrics(rows)
        if RATES[name].main or name.startswith(detection)
    )
