"""Named statistics of sums with their standard errors and intervals."""

from collections.abc import Collection, Sequence

import numpy as np

from refusalbench_tasks.stats.cluster import Floats, Statistic, bootstrap, bounded, jackknife_stderr

ENDINGS = ("stderr", "bootstrap_stderr", "ci_low", "ci_high")
"""What stands beside a number, as `NAME_ENDING`."""


def uncertainty(
    names: Sequence[str],
    sums: Floats,
    statistic: Statistic,
    resamples: int = 1000,
    seed: int = 0,
    unbounded: Collection[str] = (),
) -> dict[str, float]:
    """Return standard errors and 95 % intervals of named statistics, as `NAME_ENDING` with each of `ENDINGS`.

    `stderr` is the delete-one-cluster jackknife's, `bootstrap_stderr` the standard deviation of the bootstrap's draws
    (paper App. G), the interval the bootstrap's percentiles. Args: `sums`, shape (clusters, k); `statistic` maps sums,
    shape (..., k), to (..., len(names)). Statistics are shares in [0, 1], for which `bounded_bootstrap` says what
    stands at 0 and 1, but for those in `unbounded`. NaN with fewer than two clusters.
    """
    other = bootstrap(sums, statistic, resamples, seed)
    share = bounded(other, sums, statistic)
    jackknife = jackknife_stderr(sums, statistic)
    result: dict[str, float] = {}
    for i, name in enumerate(names):
        found = other if name in unbounded else share
        beside = (jackknife[i], found.stderr[i], found.low[i], found.high[i])
        result |= {f"{name}_{ending}": float(number) for ending, number in zip(ENDINGS, beside, strict=True)}
    return result


def ratios_of(totals: Floats) -> Floats:
    """Return ratios of sums, m numerators and then m denominators: (..., 2 m) to (..., m); NaN over 0."""
    m = totals.shape[-1] // 2
    top, bottom = totals[..., :m], totals[..., m:]
    result: Floats = np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), np.nan)
    return result
