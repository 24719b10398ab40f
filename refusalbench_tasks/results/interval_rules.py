"""Confidence intervals that claim no more than the data show."""

import math
from dataclasses import replace

import numpy as np

from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.stats.proportion import wilson

FEWEST = 5
"""With fewer independent units (base questions) the percentiles of a bootstrap are no
CI (our definition).
"""


def safe_estimate(estimate: Estimate, share: bool) -> Estimate:
    """Return an estimate whose CI does not claim certainty.

    Without a row, or with one unit, there is none. A share has Wilson's with the units
    as n where the resamples are all alike or fewer than `FEWEST` units were drawn;
    anything else has none there. Our definition.
    """
    units = estimate.units
    if units < 2 or not estimate.known:
        return without_interval(estimate)
    low = estimate.low
    high = estimate.high
    if units < FEWEST or not low < high or certain(estimate, share):
        if not share:
            return without_interval(estimate)
        low, high = wilson(estimate.value * units, units)
    # a percentile interval may leave its own value out, and Wilson's does by a rounding
    # error
    return replace(
        estimate,
        low=min(low, estimate.value),
        high=max(high, estimate.value),
    )


def safe_difference(estimate: Estimate, share: bool) -> Estimate:
    """Return a difference of two paired values whose CI does not claim certainty.

    Where no unit changed, or fewer than `FEWEST` were drawn, a difference of shares has
    at least the width of 0 changes in as many units, Wilson's upper bound to both
    sides; other metrics have none then. Our definition.
    """
    value = estimate.value
    if estimate.units < 2 or not estimate.known:
        return without_interval(estimate)
    low = min(estimate.low, value)
    high = max(estimate.high, value)
    if estimate.units < FEWEST or not estimate.low < estimate.high:
        if not share:
            return without_interval(estimate)
        arm = wilson(0, estimate.units)[1]
        low = float(np.nanmin([max(value - arm, -1), estimate.low]))
        high = float(np.nanmax([min(value + arm, 1), estimate.high]))
    return replace(
        estimate,
        low=low,
        high=high,
    )


def certain(estimate: Estimate, share: bool) -> bool:
    """Whether a share shows nothing but 0, or nothing but 1."""
    return share and estimate.value in (0.0, 1.0)


def without_interval(estimate: Estimate) -> Estimate:
    """Return an estimate without its CI; without a row it has no value either."""
    value = estimate.value if estimate.n else NAN
    return replace(
        estimate,
        value=value,
        low=NAN,
        high=NAN,
    )


def interval_cells(estimate: Estimate) -> dict[str, float]:
    """Return the cells of a table for the CI of an estimate."""
    return {"95 % low": estimate.low, "95 % high": estimate.high}


def unchanged(difference: Estimate) -> bool:
    """Whether the CI of a difference of shares is that of no change in any unit."""
    return difference.units > 0 and math.isclose(
        difference.high - difference.value, wilson(0, difference.units)[1]
    )
