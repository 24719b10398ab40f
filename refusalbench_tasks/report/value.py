"""One number of a chart or a table."""

import math
from dataclasses import dataclass

from refusalbench_tasks.tables import TableRow

NAN = float("nan")


@dataclass(frozen=True)
class Value:
    """One number with its 95 % interval and its n, NaN where there is none."""

    value: float
    low: float = NAN
    high: float = NAN
    n: float = NAN

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def has_interval(self) -> bool:
        """Whether it has an interval."""
        return not math.isnan(self.low)

    def cells(self, prefix: str = "") -> TableRow:
        """Return the value, its bounds and its n as cells of a table row."""
        name = prefix or "value"
        n = self.n if math.isnan(self.n) else int(self.n)
        return {name: self.value, f"{name} low": self.low, f"{name} high": self.high, f"{name} n": n}
