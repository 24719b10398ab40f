"""Sums over the replies of each cluster by name, and the estimates of metrics that are
functions of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, cluster_sums
from refusalbench_tasks.stats.difference import shares_interval
from refusalbench_tasks.stats.estimate import NAN, Estimate, Estimates, estimates

from .metric import Metric, Sums

Columns = Mapping[str, Floats]

_NO_ARMS: Columns = MappingProxyType({})


@dataclass(frozen=True)
class NamedSums:
    """The sums over the replies of each cluster, shape (clusters, arms x names); the
    first arm is all replies.
    """

    rows: Floats
    names: tuple[str, ...]
    arms: tuple[str, ...] = ("",)
    undefined: float = NAN
    """The value of a metric that is undefined."""

    def values(self, metrics: Sequence[Metric], sums: Floats) -> Floats:
        """Return metrics of sums of rows, shape (..., arms x names) to (...,
        metrics).
        """
        arms = self._named(sums)
        values = np.stack([metric.value(arms) for metric in metrics], axis=-1)
        return np.where(
            np.isnan(values),
            self.undefined,
            values,
        )

    def sizes(self, metrics: Sequence[Metric], sums: Floats) -> Floats:
        """Return the n of metrics, in the shape of `values`."""
        arms = self._named(sums)
        return np.stack([metric.size(arms) for metric in metrics], axis=-1)

    def _named(self, sums: Floats) -> dict[str, Sums]:
        blocks = np.split(np.moveaxis(sums, -1, 0), len(self.arms))
        arms: dict[str, Sums] = {}
        for arm, block in zip(self.arms, blocks, strict=True):
            arms[arm] = dict(zip(self.names, block, strict=True))
        return arms


def named_sums(
    columns: Columns,
    places: ClusterIndex,
    arms: Columns = _NO_ARMS,
    undefined: float = NAN,
) -> NamedSums:
    """Return the sums of columns of shape (n,) over the replies of each cluster.

    `places` is the place of each reply's cluster; `arms` says which replies are of each
    arm, 1 or 0.
    """
    rows = np.column_stack([*columns.values()])
    blocks = [cluster_sums(rows, places)]
    for arm in arms.values():
        blocks.append(cluster_sums(rows * arm[:, None], places))
    return NamedSums(
        np.hstack(blocks),
        tuple(columns),
        ("", *arms),
        undefined,
    )


def with_counts(columns: Columns) -> dict[str, Floats]:
    """Return columns with 0 for NaN, and as `n NAME` how many replies have a value."""
    counted = {name: np.nan_to_num(column) for name, column in columns.items()}
    for name, column in columns.items():
        counted[f"n {name}"] = (~np.isnan(column)).astype(float)
    return counted


def measured(
    metrics: Iterable[Metric],
    sums: NamedSums,
    resamples: int = 1000,
) -> Estimates:
    """Return metrics by name with n, errors and 95 % CIs from resampling clusters.

    A share that is 0 or 1 has Wilson's interval, and a difference of two such shares
    Newcombe's, with the clusters as n: every resample gives the same, and the
    percentiles would claim certainty. The jackknife is over the clusters that have a
    reply of the metric. With `resamples=0` there are no intervals.
    """

    def of_rows(chosen: Sequence[Metric], rows: Floats) -> Estimates:
        unbounded = [metric.name for metric in chosen if not metric.bounded]
        return estimates(
            [metric.name for metric in chosen],
            rows,
            lambda totals: sums.values(chosen, totals),
            lambda totals: sums.sizes(chosen, totals),
            resamples,
            unbounded,
        )

    listed = list(metrics)
    result = of_rows([metric for metric in listed if not metric.own], sums.rows)
    for metric in listed:
        if metric.own:
            inside = sums.sizes([metric], sums.rows)[:, 0] > 0
            result |= of_rows([metric], sums.rows[inside])
        estimate = result[metric.name]
        if metric.share and not metric.bounded and estimate.low == estimate.high:
            result[metric.name] = _not_certain(
                metric,
                estimate,
                sums,
            )
    return {metric.name: result[metric.name] for metric in listed}


def _not_certain(
    metric: Metric,
    estimate: Estimate,
    sums: NamedSums,
) -> Estimate:
    """Return a difference of two arms' shares with Newcombe's interval, if these are 0
    or 1.
    """
    sides = [replace(metric, arms=(arm,)) for arm in metric.arms]
    p1, p2 = sums.values(sides, sums.rows.sum(axis=0)).tolist()
    n1, n2 = (sums.sizes(sides, sums.rows) > 0).sum(axis=0).tolist()
    if not {p1, p2} <= {0.0, 1.0}:
        return estimate
    low, high = shares_interval(
        p1,
        n1,
        p2,
        n2,
    )
    return replace(estimate, low=low, high=high)
