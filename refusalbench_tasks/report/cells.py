"""Estimates as cells of tables."""

from collections.abc import Callable, Mapping

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.tables import TableRow

Estimates = Mapping[str, Estimate]


def cells(one: Estimate, name: str = "value") -> TableRow:
    """Return a value, its bounds and its n as four cells of a row."""
    return {
        name: one.value,
        f"{name} low": one.low,
        f"{name} high": one.high,
        f"{name} n": int(one.n),
    }


def row_of(
    start: TableRow, estimates: Estimates, name: Callable[[str], str] = label_of
) -> TableRow:
    """Return a row of a table: `start`, and behind it each estimate in four cells."""
    row = dict(start)
    for metric, one in estimates.items():
        row |= cells(one, name(metric))
    return row
