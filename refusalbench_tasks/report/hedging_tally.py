"""The metrics of one run of `bluff` as tables and figures read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.metrics.hedging_arms import Estimate, arm_estimates
from refusalbench_tasks.metrics.hedging_calibration import calibration_uncertainty, calibration_values
from refusalbench_tasks.metrics.hedging_conflicts import conflict_effects
from refusalbench_tasks.metrics.hedging_contrasts import at_equal_length, hedged_against_plain
from refusalbench_tasks.metrics.hedging_counts import counts
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_factors import Effect, factor_effects
from refusalbench_tasks.metrics.hedging_judged import position_values, wording_values
from refusalbench_tasks.metrics.hedging_kinds import kind_estimates
from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.metrics.hedging_repeats import repeat_values
from refusalbench_tasks.metrics.hedging_selective import selective_values
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.results.logs.run import HedgingRun


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
        values |= calibration_uncertainty(rows)
        contrasts = at_equal_length(rows) | hedged_against_plain(rows) | selective_values(rows) | repeat_values(rows)
        return values | contrasts | wording_values(rows) | position_values(rows)

    @cached_property
    def arms(self) -> Mapping[str, Mapping[str, Value]]:
        """Return each measure by arm, and its `difference`, with intervals and n (1,000 resamples, seed 0)."""
        return {
            measure: {arm: Value(one.value, one.low, one.high, one.n) for arm, one in by_arm.items()}
            for measure, by_arm in arm_estimates(self.run.every_arm).items()
        }

    @cached_property
    def factors(self) -> tuple[Effect, ...]:
        """Return what each factor of the sources moves (1,000 resamples, seed 0); nothing if no row tells them."""
        rows = self.run.scored
        return tuple(factor_effects(rows)) if any(row.factors for row in rows) else ()

    @cached_property
    def conflicts(self) -> tuple[tuple[str, Effect], ...]:
        """Return what a conflict moves by what it is about (1,000 resamples, seed 0); nothing if no row tells."""
        return tuple(conflict_effects(self.run.scored))

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, Mapping[str, Estimate]]]:
        """Return measures by kind of ambiguity and arm (1,000 resamples, seed 0)."""
        return kind_estimates(self.run.scored)

    def value(self, name: str) -> Value:
        """Return a metric with its interval and n, NaN where it has none."""
        nan = float("nan")
        low, high = (self.metrics.get(f"{name}_ci_{end}", nan) for end in ("low", "high"))
        n = self.metrics.get(N_OF.get(name, f"{name}_n"), nan)
        return Value(self.metrics.get(name, nan), low, high, n)
