"""The metrics of a run by name, each with n and a 95 % CI that claims no more than the
data show.
"""

from refusalbench_tasks.metrics import hedging
from refusalbench_tasks.metrics.hedging_metrics import BY_ARM, of_arm
from refusalbench_tasks.metrics.metric_table import metric_named
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.refusal_metrics import headline, main_metrics
from refusalbench_tasks.results.careful import careful
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import Estimate


def measures(run: Run) -> dict[str, Estimate]:
    """Return every metric of a run that has a CI, in the order in which people are
    shown them.
    """
    numbers = every_number(run.replies) if run.refusal else hedging.values(run.replies)
    return {
        name: careful(estimate, is_share(name)) for name, estimate in numbers.items()
    }


def arm_measures(run: Run) -> dict[str, Estimate]:
    """Return what is measured of each arm of `bluff`, as `NAME_ARM`; none of others.

    `NAME_difference` is ambiguous - clear.
    """
    if run.refusal:
        return {}
    found = {}
    for name, by_arm in hedging.arm_estimates(run.replies).items():
        for arm, estimate in by_arm.items():
            share = of_arm(BY_ARM[name], arm).bounded
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


def is_share(name: str) -> bool:
    """Return whether a metric lies in [0, 1], and a value of 0 or 1 is that of every
    question; that of no metric does not.
    """
    metric = metric_named(name)
    return metric is not None and metric.bounded
