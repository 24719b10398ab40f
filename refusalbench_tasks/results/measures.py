"""The metrics of a run by name, each with n and a 95 % CI that claims no more than the
data show.
"""

from collections.abc import Mapping
from typing import Literal

from refusalbench_tasks.metrics import hedging
from refusalbench_tasks.metrics.hedging_measures import BY_ARM
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.refusal_rates import RATES, headline, main_metrics
from refusalbench_tasks.metrics.refusal_shares import (
    CITATIONS,
    CONSISTENCY,
    KINDS,
    LENIENT,
    QUALITY,
    RETRIEVAL,
)
from refusalbench_tasks.results.careful import careful
from refusalbench_tasks.results.spending import SPENDING
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import Estimate

Better = Literal["higher", "lower", "neither"]
CONTROL = "control_"
KIND = "kind_"
"""What stands before the names of metrics of controls, and of the kinds of reply:
`false_refusal` would nearly be the name of a rate.
"""
_LOWER = (
    "ece",
    "brier",
    "false_refusal_rate_given_hit",
    "false_refusal_rate_given_miss",
    "uncited_answers",
    "hallucination",
)
_SHARES = frozenset((*RATES, *QUALITY, *CITATIONS, *RETRIEVAL, *CONSISTENCY, *LENIENT))


def measures(run: Run) -> dict[str, Estimate]:
    """Return every metric of a run that has a CI, in the order in which people are
    shown them.
    """
    if run.refusal:
        found = {
            f"{KIND}{name}" if name in KINDS else name: one
            for name, one in every_number(run.replies).items()
        }
    else:
        found = hedging.values(run.replies)
    return {name: careful(one, is_share(run, name)) for name, one in found.items()}


def arm_measures(run: Run) -> dict[str, Estimate]:
    """Return what is measured of each arm of `bluff`, as `NAME_ARM`; none of others.

    `NAME_difference` is ambiguous - clear.
    """
    if run.refusal:
        return {}
    found = {}
    for name, by_arm in hedging.arm_estimates(run.replies).items():
        for arm, estimate in by_arm.items():
            share = BY_ARM[name].bounded and arm != "difference"
            found[f"{name}_{arm}"] = careful(estimate, share)
    return found


def main_names(run: Run) -> tuple[str, ...]:
    """Return the names of the main metrics of a run, the headline first."""
    if not run.refusal:
        return hedging.MAIN
    codes = bool(run.replies["codes"].all())
    names = main_metrics(bool(run.replies["grounded"].any()), codes)
    first = headline(codes)
    return (first, *(name for name in names if name != first))


def is_share(run: Run, metric: str) -> bool:
    """Return whether a metric lies in [0, 1], and a value of 0 or 1 is that of every
    question.
    """
    if not run.refusal:
        return metric in hedging.SHARES
    return (
        metric.startswith(KIND)
        or metric.removeprefix(CONTROL) in _SHARES
        or "/" in metric
    )


def better(metric: str) -> Better:
    """Return whether more of a metric is better; "neither" for one that is not in the
    tables of metrics.
    """
    name = metric.removeprefix(CONTROL)
    if name in SPENDING:
        return "lower"
    if name in RATES:
        return RATES[name].better
    if name.startswith(KIND):
        return (
            "higher"
            if name in (f"{KIND}good_answer", f"{KIND}correct_code_refusal")
            else "lower"
        )
    if name.startswith(_LOWER):
        return "lower"
    known: Mapping[str, Better] = hedging.BETTER
    return known.get(name, "higher" if name in _SHARES else "neither")


def needs_grades(metric: str) -> bool:
    """Return whether a metric is about the answers that are graded."""
    name = metric.removeprefix(CONTROL)
    return name in _GRADED or not name.startswith(_UNGRADED)


_GRADED = ("answer_accuracy", "calibrated_refusal_score", "hybrid_score")
_UNGRADED = (
    *SPENDING,
    *RETRIEVAL,
    *RATES,
    "asi",
    "confidence_drop",
    "hedging_difference",
    "source_set_on_hedging",
    "refusal_",
    "no_reply",
    "unscored",
)
