"""The refusal metrics of RefusalBench (paper App. D) as functions of counts, so that
they can be resampled.

`RATES` is the one table: a new metric is an entry in it and a row of docs/metrics.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from refusalbench_tasks.metrics.frame import LEAST_COVERAGE
from refusalbench_tasks.metrics.refusal_counts import Counts, columns
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.proportion import ratios

Part = str | Callable[[Counts], Floats]
"""A column of the counts, or a function of several."""


@dataclass(frozen=True)
class Rate:
    """A metric as a quotient of counts, undefined where its denominator is 0."""

    numerator: Part
    denominator: Part
    n: Part | None = None
    """The rows that it is about, where these are not the denominator."""
    defined_if: Part | None = None
    """It is undefined also where this is 0."""
    better: Literal["higher", "lower", "neither"] = "higher"
    main: bool = False
    """Whether it is one of the paper's main metrics, which are in a log, and a column
    in every table.
    """
    coded: bool = False
    """Whether it is about the codes of refusals, and undefined where none were asked
    for.
    """
    grounded: bool = False
    """Whether it is defined for answers that are graded against ten passages alone."""

    def parts(self, counts: Counts) -> tuple[Floats, Floats]:
        """Return numerator and denominator, each of shape (...)."""
        return _part(counts, self.numerator), _part(counts, self.denominator)

    def value(self, counts: Counts) -> Floats:
        """Return the metric, in [0, 1]; NaN where it is undefined."""
        value = ratios(*self.parts(counts))
        return (
            value
            if self.defined_if is None
            else np.where(_part(counts, self.defined_if) > 0, value, np.nan)
        )

    def rows(self, counts: Counts) -> Floats:
        """Return the n of the metric."""
        return _part(counts, self.n or self.denominator)


def _part(counts: Counts, part: Part) -> Floats:
    return counts[part] if isinstance(part, str) else part(counts)


_ANSWER_ACCURACY = Rate("correct", "graded", main=True)
_REFUSAL_ACCURACY = Rate("hits", "coded", main=True, coded=True)
_RECALL = Rate("refusals", "unanswerable")
_F1 = Rate(
    lambda c: 2 * c["refusals"],
    lambda c: c["refusals"] + c["false_refusals"] + c["unanswerable"],
    n="rows",
    defined_if="both_sides",
    main=True,
)
_CATEGORY = Rate("hits", "coded_refusals", main=True, coded=True)


def _both_accuracies(c: Counts) -> Floats:
    """Return the sum of both accuracies, which the released code takes for 0 where
    there is no row.
    """
    both = np.stack([_ANSWER_ACCURACY.value(c), _REFUSAL_ACCURACY.value(c)])
    found: Floats = (np.nan_to_num(both) if c["official"] else both).sum(axis=0)
    return found


def _graded_and_coded(c: Counts) -> Floats:
    return c["graded"] + c["coded"]


def _f1_times_category(c: Counts) -> Floats:
    """Return the product; 0 where nothing was refused, whatever the category accuracy
    would be.
    """
    return np.where(c["refusals"] > 0, _F1.value(c) * _CATEGORY.value(c), 0.0)


def _weighted_accuracies(c: Counts) -> Floats:
    """Return the sum of both accuracies, each times the rows of its
    side in the data.
    """
    answers = np.where(
        c["every_answerable"] > 0,
        _ANSWER_ACCURACY.value(c) * c["every_answerable"],
        0.0,
    )
    return answers + np.where(
        c["every_unanswerable"] > 0,
        _REFUSAL_ACCURACY.value(c) * c["every_unanswerable"],
        0.0,
    )


RATES: Mapping[str, Rate] = {
    "answer_accuracy": _ANSWER_ACCURACY,
    "refusal_accuracy": _REFUSAL_ACCURACY,
    "calibrated_refusal_score": Rate(
        _both_accuracies,
        lambda c: np.full_like(c["hits"], 2),
        n=_graded_and_coded,
        main=True,
        coded=True,
    ),
    "false_refusal_rate": Rate(
        "false_refusals", "answerable", better="lower", main=True
    ),
    "missed_refusal_rate": Rate("missed", "unanswerable", better="lower", main=True),
    "refusal_rate": Rate("all_refusals", "refusable", better="neither"),
    "correct_refusal_rate": _RECALL,
    "detection_precision": Rate(
        "refusals",
        lambda c: c["refusals"] + c["false_refusals"],
        defined_if="both_sides",
    ),
    "detection_recall": _RECALL,
    "detection_f1": _F1,
    "category_accuracy": _CATEGORY,
    "hierarchical_score": Rate(
        _f1_times_category,
        lambda c: np.ones_like(c["hits"]),
        n="rows",
        defined_if=lambda c: np.minimum(c["coded"], c["both_sides"]),
        main=True,
        coded=True,
    ),
    "hybrid_score": Rate(
        _weighted_accuracies,
        "every_row",
        n=_graded_and_coded,
        main=True,
        coded=True,
        grounded=True,
    ),
    "macro_refusal_accuracy": Rate(
        lambda c: np.nan_to_num(ratios(c["class_hits"], c["class_rows"])).sum(axis=-1),
        lambda c: (c["class_rows"] > 0).sum(axis=-1).astype(np.float64),
        n="coded",
        coded=True,
    ),
    "no_reply_rate": Rate("no_reply", "asked", better="lower"),
    "unscored_rate": Rate("unscored", "every_row", better="lower"),
    "answer_accuracy_coverage": Rate("graded", "every_answerable"),
}
"""Every metric that `rates` gives, by its name, in its order."""
METRICS = tuple(RATES)
OF_ANSWERS = {"answer_accuracy", "calibrated_refusal_score", "hybrid_score"}
"""The metrics that rest on whether answers are right."""
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""


def headline(codes: bool = True) -> str:
    """Return the name of the one number that stands for a run, by whether codes were
    asked for.
    """
    return "calibrated_refusal_score" if codes else "detection_f1"


def defined_metrics(grounded: bool, codes: bool = True) -> tuple[str, ...]:
    """Return the names of the metrics of replies that are graded against ten passages
    or not, and asked for codes.

    Without codes it is detection that is measured, and comes first.
    """
    names = [
        name
        for name, rate in RATES.items()
        if (grounded or not rate.grounded) and (codes or not rate.coded)
    ]
    if not codes:
        names.sort(
            key=lambda name: (
                not name.startswith(("detection", "false_refusal", "missed_refusal"))
            )
        )
    return tuple(names)


def main_metrics(grounded: bool, codes: bool = True) -> tuple[str, ...]:
    """Return the names of the main metrics among `defined_metrics`; without codes those
    of detection are, too.
    """
    names = defined_metrics(grounded, codes)
    return tuple(
        name
        for name in names
        if RATES[name].main or (not codes and name.startswith("detection"))
    )


def rates(
    counts: Floats, protocol: Protocol = "paper", names: Sequence[str] | None = None
) -> Floats:
    """Return the metrics of count vectors: shape (..., WIDTH) to (..., len(METRICS)),
    each in [0, 1] or NaN.

    With `names` those metrics alone, in that order. docs/metrics.md defines them.
    `official-code` is as the released scripts compute them: what is undefined is 0, and
    `refusal_counts.columns` has the other differences.
    """
    named = columns(counts, protocol)
    found = np.stack([RATES[name].value(named) for name in names or RATES], axis=-1)
    return np.nan_to_num(found) if protocol == "official-code" else found


def sizes(
    counts: Floats, protocol: Protocol = "paper", names: Sequence[str] | None = None
) -> Floats:
    """Return the n of each metric of count vectors, in the shape of `rates` (for the
    calibrated score: both sides).
    """
    named = columns(counts, protocol)
    return np.stack([RATES[name].rows(named) for name in names or RATES], axis=-1)


def has_ungraded(totals: Floats) -> bool:
    """Whether a sum of count vectors has answers to answerable rows of which nobody
    knows whether they are right.
    """
    return bool(columns(totals)["ungraded"] > 0)


def few_graded(totals: Floats) -> bool:
    """Whether less than `LEAST_COVERAGE` of the answerable rows of a sum of count
    vectors are graded.

    Refusals are known to be wrong and answers may not be known, so that what is graded
    is no fair part then.
    """
    c = columns(totals)
    return bool(c["graded"] < LEAST_COVERAGE * c["every_answerable"])
