"""What one run has in the place of a published number: its metrics, by class and
intensity too, and counts of rows.
"""

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics.refusal_metrics import KIND, KINDS
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

DOMAINS = ("Science", "Health", "Business & Industrial", "Law & Government", "Finance")
"""The domains of RefusalBench-GaRAGe (paper, C.1)."""
_GROUPS = ("class", "intensity", "domain", "generator")
_OF_CODES = frozenset(label.value for label in Label)


class Numbers:
    """The numbers of a run, each computed when it is asked for."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._parts: dict[str, Numbers] = {}

    @cached_property
    def found(self) -> Mapping[str, Estimate]:
        """Return the metrics of the run."""
        return RunView(self.run).numbers

    def number(self, metric: str, subset: str = "") -> Estimate:
        """Return a number by the names of the papers' tables; NaN for what the run does
        not have.
        """
        if f"{subset}/{metric}" in self.found:
            # of a level of confidence, which is no group of rows
            return self.found[f"{subset}/{metric}"]
        if metric in COMPUTED:
            return Estimate(COMPUTED[metric](self, subset))
        if subset:
            return self.part(subset).number(metric)
        if metric in _COUNTS:
            return Estimate(float(_COUNTS[metric](self.run)))
        if metric in _OF_CODES:
            decided = self.run.replies[self.run.replies["outcome"] == "decided"]
            share = (
                float((decided["predicted"] == metric).mean()) if len(decided) else NAN
            )
            return Estimate(share, float(len(decided)))
        return self._measured(metric)

    def _measured(self, metric: str) -> Estimate:
        name = f"{KIND}{metric}" if metric in KINDS else metric
        if name in self.found:
            return self.found[name]
        whole, _, end = metric.rpartition("_bootstrap_stderr")
        if whole in self.found and not end:
            return Estimate(self.found[whole].bootstrap_stderr, self.found[whole].n)
        whole, _, end = metric.rpartition("_n")
        return (
            Estimate(self.found[whole].n)
            if whole in self.found and not end
            else Estimate()
        )

    def value(self, metric: str, subset: str = "") -> float:
        """Return a number without what is beside it."""
        return self.number(metric, subset).value

    def part(self, subset: str) -> "Numbers":
        """Return the numbers of the rows of a class, an intensity, both (`P-Ambiguity
        LOW`), a domain or a writer.
        """
        if subset not in self._parts:
            self._parts[subset] = Numbers(self.run.of_rows(self._rows(subset)))
        return self._parts[subset]

    def _rows(self, subset: str) -> "pd.Series[bool]":
        table = self.run.replies
        if not self.run.refusal:
            return pd.Series(False, index=table.index)
        first, _, second = subset.partition(" ")
        if first in set(PerturbationClass) and second in set(Intensity):
            return (table["class"] == first) & (table["intensity"] == second)
        chosen = pd.Series(False, index=table.index)
        for name in _GROUPS:
            chosen |= table[name] == subset
        return chosen


_COUNTS: Mapping[str, Callable[[Run], int]] = {
    "n": lambda run: len(run.main),
    "n_clusters": lambda run: run.main["cluster"].nunique(),
    "n_answerable": lambda run: int((run.main["expected"] == Label.ANSWER.value).sum()),
    "n_unanswerable": lambda run: int(
        (run.main["expected"] != Label.ANSWER.value).sum()
    ),
}


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else NAN


def _difficulty(of: Numbers, domain: str) -> float:
    """Return the mean share of a domain's rows that is wrong, both sides alike (our
    reading of Figure 31).
    """
    return (
        1
        - (of.value("answer_accuracy", domain) + of.value("refusal_accuracy", domain))
        / 2
    )


COMPUTED: Mapping[str, Callable[[Numbers, str], float]] = {
    "rows": lambda of, _: float(len(of.run.main)),
    "share": lambda of, subset: _ratio(of.value("n", subset), float(len(of.run.main))),
    "domain_share_range": lambda of, _: float(
        np.ptp([of.value("share", one) for one in DOMAINS])
    ),
    "false_to_missed_ratio": lambda of, _: _ratio(
        of.value("false_refusal_rate"), of.value("missed_refusal_rate")
    ),
    "refusal_rise_from_medium": lambda of, _: (
        of.value("correct_refusal_rate", "HIGH")
        - of.value("correct_refusal_rate", "MEDIUM")
    ),
    "raf_minus_unadjusted_factuality": lambda of, _: (
        of.value("raf_attempts") - of.value("unadjusted_factuality_attempts")
    ),
    "lowest_domain_refusal_accuracy": lambda of, _: float(
        np.min([of.value("refusal_accuracy", d) for d in DOMAINS])
    ),
    "highest_domain_refusal_accuracy": lambda of, _: float(
        np.max([of.value("refusal_accuracy", d) for d in DOMAINS])
    ),
    "domain_answer_range": lambda of, _: float(
        np.ptp([of.value("answer_accuracy", one) for one in DOMAINS])
    ),
    "difficulty": _difficulty,
    "difficulty_range": lambda of, _: float(
        np.ptp([_difficulty(of, one) for one in DOMAINS])
    ),
}
"""Published numbers that are no metric of a run, but follow from several; NaN where one
of these is missing.
"""


def over_models(across: str, found: list[Estimate], others: list[float]) -> Estimate:
    """Return one number over those of models, in the order of the published group; NaN
    without the values.

    `ratio` is the last over the first, `gain` the last less the first, and both need
    exactly two; `correlation` is Pearson's r with `others`; `below_zero` counts. Values
    that are not known are left out, but for these three.
    """
    values = [one.value for one in found]
    if across == "correlation":
        return Estimate(
            float(pd.Series(values, dtype=float).corr(pd.Series(others, dtype=float)))
        )
    if across in OF_TWO:
        return Estimate(_ACROSS[across](values) if len(values) == 2 else NAN)
    known = [value for value in values if not math.isnan(value)]
    return Estimate(_ACROSS[across](known) if known else NAN)


OF_TWO = ("ratio", "gain")
"""Numbers of exactly two runs."""
_ACROSS: Mapping[str, Callable[[list[float]], float]] = {
    "ratio": lambda values: _ratio(values[1], values[0]),
    "gain": lambda values: values[1] - values[0],
    "lowest": min,
    "highest": max,
    "mean": lambda values: sum(values) / len(values),
    "spread": lambda values: max(values) - min(values),
    "below_zero": lambda values: float(sum(value < 0 for value in values)),
}
