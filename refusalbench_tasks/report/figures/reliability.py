"""The points of reliability diagrams."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.calibration import Bin
from refusalbench_tasks.report.charts import Point, Value
from refusalbench_tasks.stats.proportion import wilson

INTERVALS = "95 % Wilson intervals, with the bin's questions for its n"


def reliability_points(bins: Sequence[Bin], confidence: Sequence[float], units: Sequence[str]) -> list[Point]:
    """Return a point for each bin that is not empty, the least confident first.

    `confidence` and `units` are of the rows that the bins were made of; bins hold neighbours in confidence. Rows of one
    unit, which is the question by default, are not independent, so an interval rests on the number of units.
    """
    order = np.argsort(np.asarray(confidence, dtype=float), kind="stable")
    points, start = [], 0
    for one in sorted((b for b in bins if b.n), key=lambda b: b.confidence):
        inside = order[start : start + one.n]
        start += one.n
        n = len({units[i] for i in inside})
        low, high = wilson(one.accuracy * n, n)
        points.append(Point(one.confidence, Value(one.accuracy, low, high, one.n)))
    return points
