"""What replies cost: latency, tokens and price of the evaluated model."""

from typing import TYPE_CHECKING, Any

import numpy as np

from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import cluster_sums, places_of
from refusalbench_tasks.stats.estimate import NAN, Estimate, estimates

if TYPE_CHECKING:
    import pandas as pd

SPENDING = ("latency_p50", "latency_p95", "tokens_per_row", "output_tokens_per_row", "cost_per_row")
"""Seconds, tokens and dollars; a price needs Inspect's cost data, and latency a log that is read with its texts."""


def spending(run: Run) -> dict[str, Estimate]:
    """Return the numbers of `SPENDING` that a log has, each with its 95 % CI.

    A quantile's CI is that of order statistics, for which rows are independent; it has none where the rows are too few.
    A mean's resamples base questions.
    """
    replies, found = run.replies, dict[str, Estimate]()
    latency = np.sort(replies["latency"].dropna().to_numpy(dtype=float))
    if len(latency):
        found = {f"latency_p{q}": _quantile(latency, q / 100) for q in (50, 95)}
    for column in ("tokens", "output_tokens", "cost"):
        known = replies[replies[column].notna()]
        if len(known):
            name = f"{column}_per_row"
            found[name] = _mean(name, known[column], known[run.unit])
    return found


def _quantile(ordered: Any, share: float) -> Estimate:
    """Return a quantile with its CI by order statistics (Hahn and Meeker 1991, 5.2)."""
    from scipy.stats import binom

    n = len(ordered)
    low, high = int(binom.ppf(0.025, n, share)) - 1, int(binom.ppf(0.975, n, share))
    inside = low >= 0 and high < n
    ends = (float(ordered[low]), float(ordered[high])) if inside else (NAN, NAN)
    return Estimate(float(np.quantile(ordered, share)), n=n, low=ends[0], high=ends[1], units=n)


def _mean(name: str, values: "pd.Series[float]", questions: "pd.Series[str]") -> Estimate:
    cells = np.column_stack([values.to_numpy(dtype=float), np.ones(len(values))])

    def statistic(sums: Any) -> Any:
        with np.errstate(invalid="ignore", divide="ignore"):
            return sums[..., :1] / sums[..., 1:]

    sums = cluster_sums(cells, places_of(questions.tolist()))
    return estimates((name,), sums, statistic, lambda one: one[..., 1:], unbounded=(name,))[name]
