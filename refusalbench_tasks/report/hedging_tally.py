"""The metrics of one run of `bluff` as tables and figures read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.logs.run import HedgingRun
from refusalbench_tasks.metrics.hedging_calibration import calibration_values
from refusalbench_tasks.metrics.hedging_counts import counts
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.metrics.hedging_rates import rate_cells, rate_statistics
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums


@dataclass(frozen=True)
class HedgingTally:
    """The metrics of one run of `bluff`, by name."""

    run: HedgingRun
    label: str

    @cached_property
    def metrics(self) -> Mapping[str, float]:
        """Return every metric of the run, as its log has them (1,000 resamples, seed 0)."""
        rows = self.run.scored
        values = main_values(rows) | calibration_values(rows) | counts(rows) | effects(rows, 1000, 0)
        return values | _hedge_intervals(rows)

    def value(self, name: str) -> Value:
        """Return a metric with its interval and n, NaN where it has none."""
        nan = float("nan")
        low, high = (self.metrics.get(f"{name}_ci_{end}", nan) for end in ("low", "high"))
        n = self.metrics.get(N_OF.get(name, f"{name}_n"), nan)
        return Value(self.metrics.get(name, nan), low, high, n)


def _hedge_intervals(rows: HedgingRows) -> dict[str, float]:
    """Return the 95 % intervals of hedge precision and recall by question, like those of the other rates."""
    if not rows:
        return {}
    sums = cluster_sums(rate_cells(rows, rows.protocol), rows.questions)
    names = ("hedge_precision", "hedge_recall")
    interval = bootstrap(sums, lambda totals: rate_statistics(totals, names))
    ends = {"low": interval.low, "high": interval.high}
    return {f"{name}_ci_{end}": float(values[i]) for end, values in ends.items() for i, name in enumerate(names)}
