"""The metrics of one run of `bluff` as tables and figures read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.logs.run import HedgingRun
from refusalbench_tasks.metrics.hedging_calibration import calibration_values
from refusalbench_tasks.metrics.hedging_counts import counts
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.report.charts import Value


@dataclass(frozen=True)
class HedgingTally:
    """The metrics of one run of `bluff`, by name."""

    run: HedgingRun
    label: str

    @cached_property
    def metrics(self) -> Mapping[str, float]:
        """Return every metric of the run, as its log has them (1,000 resamples, seed 0)."""
        rows = self.run.scored
        return main_values(rows) | calibration_values(rows) | counts(rows) | effects(rows, 1000, 0)

    def value(self, name: str) -> Value:
        """Return a metric with its interval and n, NaN where it has none."""
        nan = float("nan")
        low, high = (self.metrics.get(f"{name}_ci_{end}", nan) for end in ("low", "high"))
        n = self.metrics.get(N_OF.get(name, f"{name}_n"), nan)
        return Value(self.metrics.get(name, nan), low, high, n)
