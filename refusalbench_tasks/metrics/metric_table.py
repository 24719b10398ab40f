"""Every metric by its name: the table that whatever reads logs goes by."""

from .feature_rows import feature_metrics
from .hedging_metrics import (
    BY_ARM,
    HEDGING_METRICS,
    WORDING_BY_ARM,
    of_arm,
)
from .metric import Metric
from .refusal_metrics import REFUSAL_METRICS
from .spending import SPENDING

METRICS = {
    **HEDGING_METRICS,
    **REFUSAL_METRICS,
    **SPENDING,
    **feature_metrics(),
}
"""The rows of all tasks; where two kinds of tasks have a name, all but the formula and
its place in a log is the same.
"""
ARM_METRICS = {**BY_ARM, **WORDING_BY_ARM}
"""The rows of `NAME_ARM`, by the name without the arm."""


def metric_named(name: str) -> Metric | None:
    """Return the row of a metric, that of an arm included; None for no metric."""
    if name in METRICS:
        return METRICS[name]
    whole, _, arm = name.rpartition("_")
    return of_arm(ARM_METRICS[whole], arm) if whole in ARM_METRICS else None


def label_of(name: str) -> str:
    """Return what a heading calls a metric, or any other column."""
    metric = metric_named(name)
    return metric.label if metric else name.replace("_", " ")


def is_share(name: str) -> bool:
    """Return whether a metric lies in [0, 1], and 0 and 1 are the value of every reply;
    that of no metric does not.
    """
    metric = metric_named(name)
    return metric is not None and metric.bounded
