"""What replies cost: latency, tokens and price of the evaluated model."""

import numpy as np
import pandas as pd

from refusalbench_tasks.stats.cluster import places_of
from refusalbench_tasks.stats.estimate import NAN, Estimate, Estimates, mean_estimates

from .metric_rows import metric_rows

SPENT = ("tokens", "output_tokens", "cost", "latency")
"""The columns whose means are shown; a price needs Inspect's cost data, and latency a
log read with its texts.
"""
_QUANTILES = {"latency_p50": 0.5, "latency_p95": 0.95}
SPENDING = metric_rows("spending", {"quantile": np.quantile})
"""Seconds, tokens and dollars."""


def spending(replies: "pd.DataFrame") -> Estimates:
    """Return the numbers of `SPENDING` that a table of replies has, each with its 95 %
    CI.

    A quantile's CI is that of order statistics, for which rows are independent; it has
    none where the rows are too few. A mean's resamples base questions.
    """
    numbers = {}
    latency = np.sort(replies["latency"].dropna().to_numpy(float))
    if len(latency):
        from scipy.stats import binom

        n = len(latency)
        for name, share in _QUANTILES.items():
            # order statistics (Hahn and Meeker 1991, 5.2)
            low = int(binom.ppf(0.025, n, share)) - 1
            high = int(binom.ppf(0.975, n, share))
            ends = (NAN, NAN)
            if low >= 0 and high < n:
                ends = (float(latency[low]), float(latency[high]))
            numbers[name] = Estimate(
                float(np.quantile(latency, share)),
                n=n,
                low=ends[0],
                high=ends[1],
                units=n,
            )
    for column in SPENT:
        known = replies[replies[column].notna()]
        if len(known):
            spent = {f"{column}_per_row": known[column].to_numpy(float)}
            numbers |= mean_estimates(spent, places_of(known["cluster"]))
    return numbers
