"""Conditions on the knobs of rows: `hops=2,distance<=40,register=table`."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|=)\s*([\w.+-]+)\s*")


@dataclass(frozen=True)
class Condition:
    """One condition: a knob, a comparison, and what it is compared with."""

    knob: str
    comparison: str
    limit: str

    def holds(self, value: float | str) -> bool:
        """Return whether a value satisfies the condition. Raises DataError for words compared by size."""
        if isinstance(value, str):
            if self.comparison != "=":
                raise DataError(f"knobs: '{self.knob}' has words, which are compared by '=' alone")
            return value == self.limit
        try:
            return _OPERATORS[self.comparison](value, float(self.limit))
        except ValueError:
            raise DataError(f"knobs: '{self.knob}' has numbers, not '{self.limit}'") from None


def conditions(stated: str | Sequence[str] | None) -> list[Condition]:
    """Return the conditions of a comma list (or a list, as Inspect's command line makes of one); none for None.

    Raises DataError for what is no condition.
    """
    found = []
    parts = list(map(str, stated)) if isinstance(stated, list | tuple) else str(stated or "").split(",")
    for part in parts if stated else ():
        match = _CONDITION.fullmatch(part)
        if match is None:
            raise DataError(f"knobs: '{part.strip()}' is no condition; write NAME=VALUE, NAME<=NUMBER or NAME>=NUMBER")
        found.append(Condition(*match.groups()))
    return found


def with_knobs(items: Sequence[RefusalItem], stated: str | Sequence[str] | None) -> list[RefusalItem]:
    """Return the items that satisfy every condition, in their order.

    Raises DataError for a knob that no item has. An item without a knob that others have is left out.
    """
    kept = list(items)
    for condition in conditions(stated):
        known = sorted({name for item in items for name in item.knobs})
        if condition.knob not in known:
            raise DataError(f"knobs: no row has '{condition.knob}'; known: {', '.join(known) or 'none, in this data'}")
        kept = [item for item in kept if condition.knob in item.knobs and condition.holds(item.knobs[condition.knob])]
    return kept
