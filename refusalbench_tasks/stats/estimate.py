"""A number as it is to be told: with its n, its standard error and its 95 % confidence interval."""

import math
from dataclasses import dataclass

NAN = math.nan


@dataclass(frozen=True)
class Estimate:
    """One number over `n` rows of `units` independent clusters; NaN is what is not known."""

    value: float = NAN
    n: float = 0.0
    stderr: float = NAN
    """The delete-one-cluster jackknife's."""
    low: float = NAN
    high: float = NAN
    bootstrap_stderr: float = NAN
    units: int = 0

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def has_interval(self) -> bool:
        """Whether it has a confidence interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))
