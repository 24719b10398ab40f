"""Every number of a log's scores as one table: what a closing table and `show` leave out, too."""

import math
from collections.abc import Mapping, Sequence

from refusalbench_tasks.results.logs.show import Summary
from refusalbench_tasks.results.logs.summary_table import names_of
from refusalbench_tasks.tables import Table, TableRow

BESIDE = {
    "95 % low": "_ci_low",
    "95 % high": "_ci_high",
    "standard error": "_stderr",
    "bootstrap standard error": "_bootstrap_stderr",
    "n": "_n",
}
"""The columns that stand beside a value, with the end of the metric's name that they have in a log."""


def every_number(summaries: Sequence[Summary]) -> Table:
    """Return a row for each number of each run, in the order of the log, with what the log has beside it.

    A number's interval, standard errors and n are in its row and have none of their own.
    """
    rows = [
        {"task": one.task, "run": name, "model": one.name} | row
        for one, name in zip(summaries, names_of(summaries), strict=True)
        for row in _rows(one.metrics)
    ]
    return Table("numbers", "Every number", rows)


def _rows(metrics: Mapping[str, float]) -> list[TableRow]:
    taken = {name + end for name in metrics for end in BESIDE.values()}
    return [
        {"metric": name, "value": _plain(name, value)}
        | {column: _plain(end, metrics.get(name + end)) for column, end in BESIDE.items()}
        for name, value in metrics.items()
        if name not in taken
    ]


def _plain(name: str, value: float | None) -> float | None:
    """Return a count as a whole number, anything else as it is."""
    tail = name.rpartition("/")[2]
    counted = tail == "n" or tail.startswith("n_") or tail.endswith("_n")
    return round(value) if value is not None and counted and math.isfinite(value) else value
