"""Numbers with their n, standard errors and 95 % confidence intervals (CI)."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .cluster import (
    ClusterIndex,
    Floats,
    Statistic,
    bootstrap,
    cluster_sums,
    jackknife_stderr,
    wilson_at_bounds,
)
from .proportion import ratios

NAN = math.nan


@dataclass(frozen=True)
class Estimate:
    """One number over `n` rows of `units` independent clusters; NaN is what is not
    known.
    """

    value: float = NAN
    n: float = 0.0
    stderr: float = NAN
    """The delete-one-cluster jackknife's."""
    low: float = NAN
    """Bounds of the percentile bootstrap CI; of the Wilson interval where a share is 0
    or 1.
    """
    high: float = NAN
    bootstrap_stderr: float = NAN
    """The standard deviation of the bootstrap's draws (paper, App. G)."""
    units: int = 0
    """The clusters that have a row of it."""

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def has_interval(self) -> bool:
        """Whether it has a confidence interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def __str__(self) -> str:
        """Return the value with its interval, if it has one."""
        if not self.known:
            return "undefined"
        interval = f" [{self.low:.3f}, {self.high:.3f}]" if self.has_interval else ""
        return f"{self.value:.3f}{interval}"

    @property
    def withheld(self) -> "Estimate":
        """Return the n and the units alone."""
        return Estimate(n=self.n, units=self.units)


Estimates = dict[str, Estimate]
"""Estimates by the name of their metric."""


def estimates(
    names: Sequence[str],
    sums: Floats,
    statistic: Statistic,
    sizes: Statistic,
    resamples: int = 1000,
    unbounded: Collection[str] = (),
) -> Estimates:
    """Return the estimates of statistics of the sums of clusters, by name.

    Args:
        names: Names of the m statistics.
        sums: Sums of each cluster, shape (clusters, k).
        statistic: Maps sums, shape (..., k), to the statistics, shape (..., m).
        sizes: Maps sums, shape (..., k), to the n of each statistic, shape (..., m).
        resamples: Bootstrap draws; with 0 there are none, and what comes from them is
            NaN.
        unbounded: Statistics that are no shares in [0, 1], whose CI is the percentile
            one at 0 and 1 too.

    Standard errors and CIs are NaN with fewer than two clusters.
    """
    totals = sums.sum(axis=0)
    values = statistic(totals)
    ns = sizes(totals)
    used = sizes(sums) > 0
    stderr = jackknife_stderr(sums, statistic, used=used)
    units = used.sum(axis=0)
    drawn = bootstrap(sums, statistic, resamples)
    share = wilson_at_bounds(drawn, sums, statistic) if resamples else drawn
    by_name = {}
    for i, name in enumerate(names):
        interval = drawn if name in unbounded else share
        ends = interval.low, interval.high, interval.stderr
        columns = (values, ns, stderr, *ends, units)
        by_name[name] = Estimate(*(column[i].item() for column in columns))
    return by_name


def ratio_estimates(
    names: Sequence[str],
    sums: Floats,
    resamples: int = 1000,
    share: bool = True,
) -> Estimates:
    """Return the estimates of m ratios from sums of their numerators, then their
    denominators: shape (clusters, 2 m).

    The denominators are the n; `share` says whether the ratios lie in [0, 1].
    """
    m = len(names)

    return estimates(
        names,
        sums,
        lambda totals: ratios(totals[..., :m], totals[..., m:]),
        lambda totals: totals[..., m:],
        resamples,
        unbounded=() if share else names,
    )


def mean_estimates(
    columns: Mapping[str, Floats],
    places: ClusterIndex,
    resamples: int = 1000,
) -> Estimates:
    """Return the estimates of the means of columns, shape (n,), NaN left out, given the
    place of each row's cluster.

    They are no shares: their CI is the percentile one wherever they lie.
    """
    values = np.column_stack([*columns.values()])
    cells = np.hstack([np.nan_to_num(values), ~np.isnan(values)])
    sums = cluster_sums(cells, places)
    return ratio_estimates(
        [*columns],
        sums,
        resamples,
        share=False,
    )
