"""Published numbers beside measured ones as tables that fit the page of a paper."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from refusalbench_tasks.tables import Table, TableRow

if TYPE_CHECKING:
    from refusalbench_tasks.results.published.reproduction import Reproduced

_WIDTHS = {"model": 1.45, "metric": 2.95, "where": 1.4, "published": 1.5, "measured": 1.5, "n": 0.7, "reading": 1.5}
"""In centimetres: a page of LaTeX's class `article` has 12.1."""


def tables_in_print(found: Sequence["Reproduced"], title: str) -> list[Table]:
    """Return a table for each task of a paper; an interval stands behind its number, logs and differences in a caption.

    Where nothing was measured there are no columns for it.
    """
    groups: dict[tuple[str, str], list[Reproduced]] = defaultdict(list)
    for one in found:
        groups[one.paper, one.row.task].append(one)
    return [_table(f"{title}: {paper}, {task}", rows) for (paper, task), rows in groups.items()]


def _table(title: str, found: Sequence["Reproduced"]) -> Table:
    measured = any(one.log for one in found)
    names = [name for name in _WIDTHS if measured or name not in ("measured", "n")]
    return Table(title, title, [_cells(one) for one in found], names=names, caption=_caption(title, found),
                 widths=_WIDTHS)  # fmt: skip


def _cells(one: "Reproduced") -> TableRow:
    row = one.row
    sign = {"=": "", "~": "about "}.get(row.sign, f"{row.sign} ")
    return {
        "model": row.model,
        "metric": row.label,
        "where": row.where,
        "published": f"{sign}{_number(row.value, row.low, row.high, row.is_count)}",
        "measured": _number(one.measured, one.low, one.high, row.is_count) or None,
        "n": None if math.isnan(one.n) else int(one.n),
        "reading": one.reading,
    }


def _number(value: float, low: float | None, high: float | None, is_count: bool) -> str:
    if math.isnan(value):
        return ""
    told = f"{value:,.0f}" if is_count else f"{value:.3f}"
    return (
        told
        if low is None or high is None or math.isnan(low) or math.isnan(high)
        else f"{told} [{low:.3f}, {high:.3f}]"
    )


def _caption(title: str, found: Sequence["Reproduced"]) -> str:
    """Return the title, the logs that numbers are from, and what keeps each from reproducing them."""
    differing: dict[str, dict[str, None]] = defaultdict(dict)
    for one in found:
        if one.log:
            differing[one.log.rpartition("/")[2]] |= dict.fromkeys(one.differences)
    logs = "; ".join(f"{log} ({'; '.join(told)})" if told else log for log, told in differing.items())
    return f"{title}. Measured in: {logs}." if logs else f"{title}."
