"""Estimates as cells of tables."""

from collections.abc import Iterable, Mapping

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.results.coverage import span_text
from refusalbench_tasks.results.read_offline import Bounds
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.tables import TableRow

from .groups import SystemView


def cells(estimate: Estimate, name: str = "value") -> TableRow:
    """Return a value, its bounds and its n as four cells of a row."""
    return {
        name: estimate.value,
        f"{name} low": estimate.low,
        f"{name} high": estimate.high,
        f"{name} n": int(estimate.n),
    }


def row_of_estimates(
    about: TableRow,
    estimates: Mapping[str, Estimate],
    bounds: Bounds | None = None,
) -> TableRow:
    """Return a row of a table: what it is about, then each estimate in four cells.

    With `bounds` those of each estimate, if it has some, stand before it in one cell.
    """
    row = dict(about)
    for metric, estimate in estimates.items():
        label = label_of(metric)
        if bounds is not None:
            has_bounds = metric in bounds
            row[f"{label} bounds"] = span_text(bounds[metric]) if has_bounds else ""
        row |= cells(estimate, label)
    return row


def row_of_system(system: SystemView, names: Iterable[str]) -> TableRow:
    """Return the row of a run in a table of its metrics, unknown where it has none."""
    values = {name: system.number(name) for name in names}
    return row_of_estimates({"system": system.label}, values)
