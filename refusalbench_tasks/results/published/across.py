"""Numbers that a paper prints of several models together."""

import math
from collections.abc import Callable, Mapping, Sequence

from refusalbench_tasks.metrics.hedging import correlation
from refusalbench_tasks.results.published.papers import Across


def over_models(across: Across, values: Sequence[float], others: Sequence[float] = ()) -> float:
    """Return one number over the values of models, in the order of the published group; NaN without the values.

    `ratio` is the last over the first, `gain` the last less the first, and both need exactly two; `correlation` is
    Pearson's r of `values` and `others`; `below_zero` counts. Values that are not known are left out, but for these
    three.
    """
    if across == "correlation":
        return correlation(values, others)
    if across in OF_TWO:
        return OF_TWO[across](*values) if len(values) == 2 else math.nan
    known = [value for value in values if not math.isnan(value)]
    return _of_many[across](known) if known else math.nan


OF_TWO: Mapping[Across, Callable[[float, float], float]] = {
    "ratio": lambda first, last: last / first if first else math.nan,
    "gain": lambda first, last: last - first,
}
"""Numbers of exactly two runs."""
_of_many: Mapping[Across, Callable[[Sequence[float]], float]] = {
    "lowest": min,
    "highest": max,
    "mean": lambda values: sum(values) / len(values),
    "spread": lambda values: max(values) - min(values),
    "below_zero": lambda values: float(sum(value < 0 for value in values)),
}
