"""The refusal metrics of RefusalBench (paper App. D) as functions of counts, so that they can be resampled.

`RATES` is the one table: a new metric is an entry in it and a row of docs/metrics.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from refusalbench_tasks.metrics.frame import cluster_index, protocol_of
from refusalbench_tasks.metrics.level_calibration import calibration
from refusalbench_tasks.metrics.refusal_counts import Counts, columns, count_vectors
from refusalbench_tasks.metrics.refusal_shares import CONSISTENCY, other_shares
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.stats.cluster import Floats, cluster_sums
from refusalbench_tasks.stats.estimate import Estimate, estimates
from refusalbench_tasks.stats.proportion import ratios

if TYPE_CHECKING:
    import pandas as pd

Part = str | Callable[[Counts], Floats]
"""A column of the counts, or a function of several."""
LEAST_COVERAGE = 0.5
"""There is no headline where less of its rows is known."""


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
    """Whether it is one of the paper's main metrics, which are in a log, and a column in every table."""
    coded: bool = False
    """Whether it is about the codes of refusals, and undefined where none were asked for."""
    grounded: bool = False
    """Whether it is defined for answers that are graded against ten passages alone."""

    def parts(self, counts: Counts) -> tuple[Floats, Floats]:
        """Return numerator and denominator, each of shape (...)."""
        return _part(counts, self.numerator), _part(counts, self.denominator)

    def value(self, counts: Counts) -> Floats:
        """Return the metric, in [0, 1]; NaN where it is undefined."""
        value = ratios(*self.parts(counts))
        return value if self.defined_if is None else np.where(_part(counts, self.defined_if) > 0, value, np.nan)

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
    """Return the sum of both accuracies, which the released code takes for 0 where there is no row."""
    both = np.stack([_ANSWER_ACCURACY.value(c), _REFUSAL_ACCURACY.value(c)])
    found: Floats = (np.nan_to_num(both) if c["official"] else both).sum(axis=0)
    return found


def _graded_and_coded(c: Counts) -> Floats:
    return c["graded"] + c["coded"]


def _f1_times_category(c: Counts) -> Floats:
    """Return the product; 0 where nothing was refused, whatever the category accuracy would be."""
    return np.where(c["refusals"] > 0, _F1.value(c) * _CATEGORY.value(c), 0.0)


def _weighted_accuracies(c: Counts) -> Floats:
    """Return the sum of both accuracies, each times the rows of its side in the data."""
    answers = np.where(c["every_answerable"] > 0, _ANSWER_ACCURACY.value(c) * c["every_answerable"], 0.0)
    return answers + np.where(c["every_unanswerable"] > 0, _REFUSAL_ACCURACY.value(c) * c["every_unanswerable"], 0.0)


def _class_accuracies(c: Counts) -> Floats:
    accuracy: Floats = np.nan_to_num(ratios(c["class_hits"], c["class_rows"])).sum(axis=-1)
    return accuracy


def _classes(c: Counts) -> Floats:
    present: Floats = (c["class_rows"] > 0).sum(axis=-1).astype(np.float64)
    return present


RATES: Mapping[str, Rate] = {
    "answer_accuracy": _ANSWER_ACCURACY,
    "refusal_accuracy": _REFUSAL_ACCURACY,
    "calibrated_refusal_score": Rate(
        _both_accuracies, lambda c: np.full_like(c["hits"], 2), n=_graded_and_coded, main=True, coded=True
    ),
    "false_refusal_rate": Rate("false_refusals", "answerable", better="lower", main=True),
    "missed_refusal_rate": Rate("missed", "unanswerable", better="lower", main=True),
    "refusal_rate": Rate("all_refusals", "refusable", better="neither"),
    "correct_refusal_rate": _RECALL,
    "detection_precision": Rate("refusals", lambda c: c["refusals"] + c["false_refusals"], defined_if="both_sides"),
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
    "hybrid_score": Rate(_weighted_accuracies, "every_row", n=_graded_and_coded, main=True, coded=True, grounded=True),
    "macro_refusal_accuracy": Rate(_class_accuracies, _classes, n="coded", coded=True),
    "no_reply_rate": Rate("no_reply", "rows", better="lower"),
    "unscored_rate": Rate("unscored", "every_row", better="lower"),
    "answer_accuracy_coverage": Rate("graded", "every_answerable"),
}
"""Every metric that `rates` gives, by its name, in its order."""
METRICS = tuple(RATES)
OF_ANSWERS = {"answer_accuracy", "calibrated_refusal_score", "hybrid_score"}
"""The metrics that rest on whether answers are right."""
_DETECTION = ("false_refusal_rate", "missed_refusal_rate")
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
_LOGGED = ("no_reply_rate", "unscored_rate", "answer_quality", "hit_at_k", *CONSISTENCY, "ece", "brier")
"""What a log holds beside the main metrics and those of controls, where the run has it."""


def headline(codes: bool = True) -> str:
    """Return the name of the one number that stands for a run, by whether codes were asked for."""
    return "calibrated_refusal_score" if codes else "detection_f1"


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

    With `names` those metrics alone, in that order. docs/metrics.md defines them.

    A row whose reply the model failed to give is in the denominators and right nowhere; unscored rows are in none but
    that of the unscored rate. What has no denominator is NaN. `official-code`: as the released scripts compute them:
    unscored rows stay in the denominators, the refusal rate is over the unanswerable rows only, and what is undefined
    is 0.
    """
    named = columns(counts, protocol)
    found = np.stack([rate.value(named) for rate in _chosen(names)], axis=-1)
    return np.nan_to_num(found) if protocol == "official-code" else found


def sizes(counts: Floats, protocol: Protocol = "paper", names: Sequence[str] | None = None) -> Floats:
    """Return the n of each metric of count vectors, in the shape of `rates` (for the calibrated score: both sides)."""
    named = columns(counts, protocol)
    return np.stack([rate.rows(named) for rate in _chosen(names)], axis=-1)


def _chosen(names: Sequence[str] | None) -> list[Rate]:
    return [RATES[name] for name in (RATES if names is None else names)]


def values(
    table: "pd.DataFrame",
    resamples: int = 1000,
    seed: int = 0,
    cluster: Cluster | None = None,
    names: Sequence[str] | None = None,
) -> dict[str, Estimate]:
    """Return the metrics of a table of replies, by name; those of its kind, or those that are named.

    `cluster` is `question` (resample base questions) or `row` (take rows for independent), by default what the run was
    told. The headline is NaN where less than `LEAST_COVERAGE` of the rows is known, and it and answer accuracy where
    less than that share of the answerable rows is graded (not with `official-code`).
    """
    rows = main_rows(table)
    codes = bool(rows["codes"].all())
    chosen = names or defined_metrics(bool(rows["grounded"].any()), codes)
    sums = cluster_sums(count_vectors(rows), cluster_index(rows, cluster))
    found = rate_estimates(chosen, sums, protocol_of(rows), resamples, seed)
    if protocol_of(rows) == "official-code":
        return found
    first = headline(codes)
    hidden = {first} if first in found and found[first].n < LEAST_COVERAGE * len(rows) else set()
    if few_graded(sums.sum(axis=0)):
        hidden |= OF_ANSWERS & {*found}
    return found | {name: Estimate(n=found[name].n, units=found[name].units) for name in hidden}


def rate_estimates(
    names: Sequence[str], sums: Floats, protocol: Protocol, resamples: int = 1000, seed: int = 0
) -> dict[str, Estimate]:
    """Return metrics of the sums of count vectors of each cluster, by name."""
    return estimates(
        names, sums, lambda c: rates(c, protocol, names), lambda c: sizes(c, protocol, names), resamples, seed
    )


def few_graded(totals: Floats) -> bool:
    """Whether less than `LEAST_COVERAGE` of the answerable rows of a sum of count vectors are graded.

    Refusals are known to be wrong and answers may not be known, so that what is graded is no fair part then.
    """
    c = columns(totals)
    return bool(c["graded"] < LEAST_COVERAGE * c["every_answerable"])


def every_number(
    table: "pd.DataFrame", resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None
) -> dict[str, Estimate]:
    """Return every number of a table of replies by name; with `resamples=0` without bootstrap.

    `control_...` are those of controls by the paper's formulas, whatever the protocol. `cluster` is as in `values`.
    """
    how = (resamples, seed, cluster)
    found = values(table, *how)
    controls = table[table["control"]].assign(protocol="paper")
    if len(controls):
        of_controls = values(controls, *how, names=OF_CONTROLS)
        found |= {f"control_{name}": one for name, one in of_controls.items()}
    found |= other_shares(table, *how) | calibration(table, *how)
    retrieved = main_rows(table)["retrieved_k"].dropna()
    if len(retrieved):
        found["retrieved_k"] = Estimate(value=float(retrieved.mean()), n=float(len(retrieved)))
    return found


def logged_numbers(table: "pd.DataFrame", cluster: Cluster | None = None) -> dict[str, float]:
    """Return what a log holds: the main metrics, each with `_stderr`, and as `stderr` that of the headline.

    Inspect's data frames take a headline's error from the metric of that name. Everything else follows from the
    samples.
    """
    found, rows = every_number(table, 0, 0, cluster), main_rows(table)
    codes = bool(rows["codes"].all())
    main = main_metrics(bool(rows["grounded"].any()), codes)
    chosen = [name for name in found if name in (*main, *_LOGGED) or name.startswith("control_")]
    result = {"stderr": found[headline(codes)].stderr}
    for name in chosen:
        result |= {name: found[name].value, f"{name}_stderr": found[name].stderr}
    return result
