"""What one run has in the place of a published number: its metrics, by class and
intensity too, and counts of rows.
"""

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics.metric_table import METRICS
from refusalbench_tasks.metrics.refusal_metrics import CALIBRATION, KIND, KINDS
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
    def view(self) -> RunView:
        """Return the view of the run."""
        return RunView(self.run)

    def number(self, metric: str, subset: str = "") -> Estimate:
        """Return a number by the names of the papers' tables; NaN for what the run does
        not have.
        """
        of_level = f"{subset}/{metric}"
        if of_level in CALIBRATION:
            # of a level of confidence, which is no group of rows
            return self.view.number(of_level)
        if metric in COMPUTED:
            return Estimate(COMPUTED[metric](self, subset))
        if subset:
            return self.part(subset).number(metric)
        if metric in _COUNTS:
            return Estimate(float(_COUNTS[metric](self.run)))
        if metric in _OF_CODES:
            replies = self.run.replies
            predicted = replies["predicted"][replies["outcome"] == "decided"]
            share = (predicted == metric).mean()
            return Estimate(float(share), float(len(predicted)))
        name = f"{KIND}{metric}" if metric in KINDS else metric
        metrics = self.view.numbers
        if name in metrics:
            return metrics[name]
        of_error = metrics.get(metric.removesuffix("_bootstrap_stderr"))
        if of_error:
            return Estimate(of_error.bootstrap_stderr, of_error.n)
        of_n = metrics.get(metric.removesuffix("_n"))
        return Estimate(of_n.n) if of_n else Estimate()

    def not_asked(self, metric: str, subset: str = "") -> str:
        """Return what a number rests on and the run was not asked for, in a few words;
        empty if nothing.
        """
        name = metric.removesuffix("_bootstrap_stderr").removesuffix("_n")
        name = _RESTS_ON.get(name, name)
        names = (f"{subset}/{name}", f"{KIND}{name}", name)
        row = next((METRICS[name] for name in names if name in METRICS), None)
        is_coded = metric in _OF_CODES or (row and row.coded)
        if is_coded and not self.view.codes:
            return "no codes were asked for"
        if row is None:
            return ""
        run = self.run
        if run.refusal:
            confident = run.replies["confidence_asked"].any()
            by_confidence = row.name in CALIBRATION
        else:
            confident = run.arguments.get("ptrue") != "none"
            by_confidence = row.name == "asi"
        if by_confidence and not confident:
            return "no confidence was asked for"
        # what can be graded without a grader are the plainly right answers
        if row.graded and not run.graders and self.view.unscored["ungraded"]:
            return "no grader was asked"
        return ""

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
        return (table[[*_GROUPS]] == subset).any(axis=1)


_COUNTS: Mapping[str, Callable[[Run], int]] = {
    "rows": lambda run: len(run.main),
    "n_clusters": lambda run: run.main["cluster"].nunique(),
}


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else NAN


def _difficulty(numbers: Numbers, domain: str) -> float:
    """Return the mean share of a domain's rows that is wrong, both sides alike (our
    reading of Figure 31).
    """
    answers = numbers.value("answer_accuracy", domain)
    return 1 - (answers + numbers.value("refusal_accuracy", domain)) / 2


def _over_domains(
    function: Callable[[list[float]], float],
    metric: str,
) -> Callable[[Numbers, str], float]:
    return lambda numbers, _: float(
        function([numbers.value(metric, domain) for domain in DOMAINS])
    )


COMPUTED: Mapping[str, Callable[[Numbers, str], float]] = {
    "share": lambda numbers, subset: _ratio(
        numbers.value("rows", subset),
        numbers.value("rows"),
    ),
    "domain_share_range": _over_domains(np.ptp, "share"),
    "false_to_missed_ratio": lambda numbers, _: _ratio(
        numbers.value("false_refusal_rate"),
        numbers.value("missed_refusal_rate"),
    ),
    "refusal_rise_from_medium": lambda numbers, _: (
        numbers.value("correct_refusal_rate", "HIGH")
        - numbers.value("correct_refusal_rate", "MEDIUM")
    ),
    "raf_minus_unadjusted_factuality": lambda numbers, _: (
        numbers.value("raf_attempts") - numbers.value("unadjusted_factuality_attempts")
    ),
    "lowest_domain_refusal_accuracy": _over_domains(np.min, "refusal_accuracy"),
    "highest_domain_refusal_accuracy": _over_domains(np.max, "refusal_accuracy"),
    "domain_answer_range": _over_domains(np.ptp, "answer_accuracy"),
    "difficulty": _difficulty,
    "difficulty_range": _over_domains(np.ptp, "difficulty"),
}
"""Published numbers that are no metric of a run, but follow from several; NaN where one
of these is missing.
"""
_RESTS_ON = {
    "raf_minus_unadjusted_factuality": "raf_attempts",
    "lowest_domain_refusal_accuracy": "refusal_accuracy",
    "highest_domain_refusal_accuracy": "refusal_accuracy",
    "domain_answer_range": "answer_accuracy",
    "difficulty": "answer_accuracy",
    "difficulty_range": "answer_accuracy",
}
"""One of the several that decides whether a run was asked for what these rest on."""


def over_models(
    across: str,
    numbers: list[Estimate],
    others: list[float],
) -> Estimate:
    """Return one number over those of models, in the order of the published group; NaN
    without the values.

    `ratio` is the last over the first, `gain` the last less the first, and both need
    exactly two; `correlation` is Pearson's r with `others`; `below_zero` counts. Values
    that are not known are left out, but for these three.
    """
    values = [number.value for number in numbers]
    if across == "correlation":
        first = pd.Series(values, dtype=float)
        return Estimate(float(first.corr(pd.Series(others, dtype=float))))
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
    "spread": np.ptp,
    "below_zero": lambda values: float(sum(value < 0 for value in values)),
}
