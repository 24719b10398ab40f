"""The unperturbed originals that rows hold, and the rows that hold none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.item import RefusalItem

NO_ORIGINAL = "no unperturbed original in the row"
"""Why a perturbed row gives no control and no base question."""


@dataclass(frozen=True)
class Originals:
    """Distinct originals in the order of their rows, and the perturbed rows without one."""

    items: list[RefusalItem]
    without: list[Row]


def originals_of(
    controls_of: Callable[[Sequence[Row]], list[RefusalItem]], rows: Sequence[Row], items: Sequence[RefusalItem]
) -> Originals:
    """Return the originals of rows by a layout's `controls_of`; `items` are the rows' own items, in the same order.

    A clean row needs no original. Two originals with one id are one.
    """
    found: dict[str, RefusalItem] = {}
    without: list[Row] = []
    for row, item in zip(rows, items, strict=True):
        held = controls_of([row])
        for one in held:
            found.setdefault(one.item_id, one)
        if not (held or item.is_clean):
            without.append(row)
    return Originals(list(found.values()), without)
