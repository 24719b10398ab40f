"""The refusal metrics of RefusalBench (paper App. D) as functions of counts, so that they can be resampled.

`RATES` is the one table: a new metric is an entry in it and a row of docs/metrics.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from refusalbench_tasks.metrics.refusal_counts import (
    WIDTH,
    Counts,
    columns,
    count_rows,
    counts_by_name,
    ungraded,
)
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats

__all__ = [
    "METRICS",
    "RATES",
    "WIDTH",
    "Rate",
    "count_rows",
    "counts_by_name",
    "defined_metrics",
    "denominators",
    "main_metrics",
    "rates",
    "ungraded",
]

Part = Callable[[Counts], Floats]


@dataclass(frozen=True)
class Rate:
    """A metric as a quotient of counts, undefined where its denominator is 0."""

    top: Part
    bottom: Part
    n: Part | None = None
    """The rows that it is about, where these are not the denominator."""
    needs: Part | None = None
    """It is undefined also where this is 0."""
    main: bool = False
    """Whether it is one of the paper's main metrics, which have an interval, and a column in every table."""
    coded: bool = False
    """Whether it is about the codes of refusals, and undefined where none were asked for."""
    grounded: bool = False
    """Whether it is defined for answers that are graded against ten passages alone."""

    def value(self, counts: Counts) -> Floats:
        """Return the metric, in [0, 1]; NaN where it is undefined."""
        value = _ratio(self.top(counts), self.bottom(counts))
        return value if self.needs is None else np.where(self.needs(counts) > 0, value, np.nan)

    def rows(self, counts: Counts) -> Floats:
        """Return the n of the metric."""
        return (self.n or self.bottom)(counts)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient; NaN where the denominator is 0."""
    safe = np.where(denominator > 0, denominator, 1.0)
    return np.where(denominator > 0, numerator / safe, np.nan)


def _rows(c: Counts) -> Floats:
    return c.rows


def _unanswerable(c: Counts) -> Floats:
    return c.unanswerable


def _coded(c: Counts) -> Floats:
    return c.coded


def _coded_or_none(c: Counts) -> Floats:
    """Return the unanswerable rows where a code was asked for; above 0 too where there are no unanswerable rows."""
    return np.where(c.unanswerable > 0, c.coded, 1.0)


_ANSWER_ACCURACY = Rate(lambda c: c.correct, lambda c: c.graded, main=True)
_REFUSAL_ACCURACY = Rate(lambda c: c.hits, _coded, main=True, coded=True)
_RECALL = Rate(lambda c: c.refusals, _unanswerable)
_F1 = Rate(
    lambda c: 2 * c.refusals,
    lambda c: c.refusals + c.false_refusals + c.unanswerable,
    n=_rows,
    needs=_unanswerable,
    main=True,
)
_CATEGORY = Rate(lambda c: c.hits, lambda c: c.coded_refusals, main=True, coded=True)


def _both_accuracies(c: Counts) -> Floats:
    return _ANSWER_ACCURACY.value(c) + _REFUSAL_ACCURACY.value(c)


def _f1_times_category(c: Counts) -> Floats:
    """Return the product; 0 where nothing was refused, whatever the category accuracy would be."""
    return np.where(c.refusals > 0, _F1.value(c) * _CATEGORY.value(c), 0.0)


def _class_accuracies(c: Counts) -> Floats:
    accuracy: Floats = np.nan_to_num(_ratio(c.class_hits, c.class_rows)).sum(axis=-1)
    return accuracy


def _classes(c: Counts) -> Floats:
    present: Floats = (c.class_rows > 0).sum(axis=-1).astype(np.float64)
    return present


RATES: Mapping[str, Rate] = {
    "answer_accuracy": _ANSWER_ACCURACY,
    "refusal_accuracy": _REFUSAL_ACCURACY,
    "calibrated_refusal_score": Rate(
        _both_accuracies,
        lambda c: np.full_like(c.hits, 2),
        n=lambda c: c.graded + c.coded,
        main=True,
        coded=True,
    ),
    "false_refusal_rate": Rate(lambda c: c.false_refusals, lambda c: c.answerable, main=True),
    "missed_refusal_rate": Rate(lambda c: c.missed, _unanswerable, main=True),
    "refusal_rate": Rate(
        lambda c: c.refusals if c.official else c.refusals + c.false_refusals,
        lambda c: c.unanswerable if c.official else c.rows,
    ),
    "correct_refusal_rate": _RECALL,
    "detection_precision": Rate(lambda c: c.refusals, lambda c: c.refusals + c.false_refusals),
    "detection_recall": _RECALL,
    "detection_f1": _F1,
    "category_accuracy": _CATEGORY,
    "hierarchical_score": Rate(
        _f1_times_category, lambda c: np.ones_like(c.hits), n=_rows, needs=_coded, main=True, coded=True
    ),
    "hybrid_score": Rate(
        lambda c: c.correct + c.hits,
        lambda c: c.graded + c.coded,
        needs=_coded_or_none,
        main=True,
        coded=True,
        grounded=True,
    ),
    "macro_refusal_accuracy": Rate(_class_accuracies, _classes, n=_coded, coded=True),
}
"""Every metric that `rates` gives, by its name, in its order."""
METRICS = tuple(RATES)
_DETECTION = ("false_refusal_rate", "missed_refusal_rate")


def defined_metrics(grounded: bool, codes: bool = True) -> tuple[str, ...]:
    """Return the names of the metrics of replies that are graded against ten passages or not, and asked for codes.

    Without codes it is detection that is measured, and comes first.
    """
    names = [name for name, rate in RATES.items() if (grounded or not rate.grounded) and (codes or not rate.coded)]
    if not codes:
        names.sort(key=lambda name: not name.startswith("detection") and name not in _DETECTION)
    return tuple(names)


def main_metrics(grounded: bool, codes: bool = True) -> tuple[str, ...]:
    """Return the names of the main metrics among `defined_metrics`; without codes those of detection are, too."""
    return tuple(
        name
        for name in defined_metrics(grounded, codes)
        if RATES[name].main or (not codes and name.startswith("detection"))
    )


def rates(counts: Floats, protocol: Protocol = "paper", names: Sequence[str] | None = None) -> Floats:
    """Return the metrics of count vectors: shape (..., WIDTH) to (..., len(METRICS)), each in [0, 1] or NaN.

    With `names` those metrics alone, in that order.

    `paper` (App. D): answer accuracy = correct attempts / answerable rows; refusal accuracy = replies with the
    gold code / unanswerable rows; calibrated refusal score = their mean; false refusal rate = refused / answerable;
    missed refusal rate = answered / unanswerable; refusal rate = refusals / all; correct refusal rate = refusals with
    any code / unanswerable (= detection recall); detection precision, recall, F1 with "refusal" as the positive
    class; category accuracy = gold code / correct refusals; hierarchical score = F1 x category accuracy; hybrid
    score = answer quality and refusal accuracy weighted by their rows (one side empty gives the other); macro refusal
    accuracy = unweighted mean over the classes that occur. Undecided rows are in no numerator and in no denominator;
    what has no denominator is NaN.

    `official-code`: as the released scripts compute them: undecided rows stay in the denominators, the refusal rate
    is over the unanswerable rows only, and what is undefined is 0.
    """
    named = columns(counts, protocol)
    chosen = RATES.values() if names is None else [RATES[name] for name in names]
    result = np.stack([rate.value(named) for rate in chosen], axis=-1)
    return np.nan_to_num(result, nan=0.0) if named.official else result


def denominators(counts: Floats, protocol: Protocol = "paper") -> dict[str, float]:
    """Return the n of each metric of one count vector (for the calibrated score: both arms)."""
    named = columns(counts, protocol)
    return {name: float(rate.rows(named)) for name, rate in RATES.items()}
