"""The metrics of BLUFF-1000 from a table of replies: every number with its n, errors
and 95 % confidence interval.
"""

from dataclasses import replace

import pandas as pd

from refusalbench_tasks.stats.estimate import Estimate, Estimates

from .hedging_columns import (
    hedging_columns,
    left_out,
    published,
)
from .hedging_metrics import (
    BY_ARM,
    HEDGING_METRICS,
    MEASURES,
    WORDING_BY_ARM,
    arm_sums,
    of_arm,
)
from .hedging_pairs import index_coverage, pair_estimates
from .hedging_table import PAIRED
from .metric import Metrics
from .named_sums import NamedSums, measured
from .reply_columns import (
    LEAST_COVERAGE,
    cluster_index,
    protocol_of,
    scored,
)
from .sign_tests import sign_estimates

HEADLINE = "asi"
MAIN = tuple(name for name, metric in HEDGING_METRICS.items() if metric.main)
"""The metrics that a log holds with a standard error each, the headline first."""
_ZERO_AS_RELEASED = ("vui", "hedge_precision", "hedge_recall", "lexical_overconfidence")
ByArm = dict[str, dict[str, Estimate]]


def hedging_values(
    table: "pd.DataFrame",
    resamples: int = 1000,
) -> Estimates:
    """Return every metric of the paper's two arms, by name, in the protocol of the
    scores; NaN where undefined.

    With `hedging=judge` also how answers are worded, as `NAME_clear`, `NAME_ambiguous`
    and `NAME_difference`. Intervals resample questions, or rows where the run takes
    these for independent. The headline is NaN where less than `LEAST_COVERAGE` of its
    pairs are measured (not with `official-code`).
    """
    both = published(table)
    columns = hedging_columns(both)
    places = cluster_index(both)
    sums = arm_sums(columns, places)
    result = pair_estimates(both, resamples)
    paper = protocol_of(both) == "paper"
    if paper and index_coverage(both) < LEAST_COVERAGE:
        result[HEADLINE] = result[HEADLINE].withheld
    result |= measured(MEASURES.values(), sums, resamples)
    # the released evaluator has 0 for what is undefined, if something is graded or all
    # is known to refuse
    all_refuse = (
        len(both) > 0
        and bool(left_out(both).all())
        and "offline" not in set(both["judge"])
    )
    if not paper and (columns["graded"].any() or all_refuse):
        for name in _ZERO_AS_RELEASED:
            if not result[name].known:
                result[name] = replace(result[name], value=0.0)
    result |= sign_estimates(columns, places, resamples)
    if both["wording_judged"].any():
        worded = _by_arm(
            sums,
            WORDING_BY_ARM,
            PAIRED,
            resamples,
        )
        for name, by_arm in worded.items():
            for arm, estimate in by_arm.items():
                result[f"{name}_{arm}"] = estimate
    return result


def logged_hedging(table: "pd.DataFrame") -> dict[str, float]:
    """Return what a log holds of a run: the main metrics, each with `_stderr`, and as
    `stderr` that of the headline.

    Inspect's data frames take a headline's error from the metric of that name.
    Everything else follows from the samples.
    """
    numbers = hedging_values(table, resamples=0)
    result = {}
    beside = {}
    for name, metric in HEDGING_METRICS.items():
        if metric.main:
            result[name] = numbers[name].value
            result[f"{name}_stderr"] = numbers[name].stderr
        elif metric.logged:
            beside[name] = numbers[name].value
    first = numbers[HEADLINE]
    return result | {"stderr": first.stderr, "pairs_n": first.n} | beside


def arm_estimates(table: "pd.DataFrame", resamples: int = 1000) -> ByArm:
    """Return each measure of `BY_ARM` for each arm of a table, and as `difference`
    ambiguous - clear.

    Each arm is over its own replies, so that the n of a difference is that of both. The
    threshold of `refusal_rate_p20`, the 20th percentile of the run's confidences under
    the paper's two arms, is held fixed.
    """
    rows = scored(table)
    arms = (*PAIRED, *sorted(set(rows["arm"]) - set(PAIRED)))
    sums = arm_sums(hedging_columns(rows), cluster_index(rows))
    return _by_arm(
        sums,
        BY_ARM,
        arms,
        resamples,
    )


def _by_arm(
    sums: NamedSums,
    metrics: Metrics,
    arms: tuple[str, ...],
    resamples: int,
) -> ByArm:
    parts = (*arms, "difference")
    every = [of_arm(metric, arm) for metric in metrics.values() for arm in parts]
    numbers = measured(every, sums, resamples)
    by_arm = {}
    for name in metrics:
        by_arm[name] = {arm: numbers[f"{name}_{arm}"] for arm in parts}
    return by_arm
