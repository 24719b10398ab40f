"""The metrics of a run as a gate sees them: values with an interval that claims no more than the data show."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from refusalbench_tasks.metrics.consistency import CONSISTENCY, consistency, consistency_intervals
from refusalbench_tasks.metrics.grounding import BUCKETS, QUALITY
from refusalbench_tasks.metrics.hedging_arms import arm_values
from refusalbench_tasks.metrics.hedging_calibration import calibration_uncertainty, calibration_values
from refusalbench_tasks.metrics.hedging_contrasts import at_equal_length, hedged_against_plain
from refusalbench_tasks.metrics.hedging_counts import counts
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.metrics.hedging_rates import RATE_TABLE
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.hedging_selective import selective_values
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.metrics.refusal import RATES, defined_metrics, rates
from refusalbench_tasks.metrics.refusal_calibration import calibration
from refusalbench_tasks.metrics.refusal_counts import columns
from refusalbench_tasks.metrics.refusal_values import OF_CONTROLS, grounding, kinds
from refusalbench_tasks.metrics.retrieval import RETRIEVAL, retrieval, retrieval_intervals
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.results.gate.verdict import Estimate
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun, refusal_rows
from refusalbench_tasks.stats.cluster import Floats, bounded_bootstrap
from refusalbench_tasks.stats.proportion import wilson

CONTROL = "control_"
_NEEDS_GRADES = frozenset(("answer_accuracy", "calibrated_refusal_score", "hybrid_score", *QUALITY, *BUCKETS))
_NO_GRADES_IN_BLUFF = frozenset(
    (
        "asi",
        "confidence_drop",
        "hedging_difference",
        "source_set_on_hedging",
        "refusal_sensitivity",
        "refusal_rate",
        "refusal_rate_clear",
        "refusal_rate_ambiguous",
        "refusal_rate_open",
        "refusal_rate_inferable",
    )
)


@dataclass(frozen=True)
class Measured:
    """A run, or a part of it, and its metrics (95 % intervals of 1,000 resamples, seed 0)."""

    run: AnyRun

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the metrics that have an interval."""
        return tuple(dict.fromkeys((*self._rates, *(name for name in self._others if self._has_interval(name)))))

    def has(self, metric: str) -> bool:
        """Return whether the run has a metric, and its interval."""
        return metric in self._rates or metric in self.names

    def is_share(self, metric: str) -> bool:
        """Return whether a metric lies in [0, 1], and a value of 0 or 1 is that of every question."""
        if isinstance(self.run, RefusalRun):
            return metric in self._rates or metric in (*QUALITY, *BUCKETS, *RETRIEVAL, *CONSISTENCY)
        return metric in RATE_TABLE and RATE_TABLE[metric].share

    def needs_grades(self, metric: str) -> bool:
        """Return whether a metric is about the answers that are graded."""
        if isinstance(self.run, RefusalRun):
            ungraded = (*self._rates, *RETRIEVAL)
            return metric.removeprefix(CONTROL) in _NEEDS_GRADES or metric not in ungraded
        return metric not in _NO_GRADES_IN_BLUFF

    def estimate(self, metric: str) -> Estimate:
        """Return a metric with its interval: NaN where it is undefined, no interval with fewer than two units."""
        made = self._rate(self.run, metric) if isinstance(self.run, RefusalRun) and metric in self._rates else None
        return careful(made or self._other(metric), self.is_share(metric))

    @cached_property
    def _rates(self) -> tuple[str, ...]:
        if not isinstance(self.run, RefusalRun):
            return ()
        rows = self.run.every_row
        names = defined_metrics(rows.grounded, rows.codes)
        return (*names, *(f"{CONTROL}{name}" for name in OF_CONTROLS if self.run.controls))

    def _rate(self, run: RefusalRun, metric: str) -> Estimate:
        name = metric.removeprefix(CONTROL)
        control = name != metric
        rows = refusal_rows(run.controls) if control else run.main_rows
        protocol = "paper" if control else run.protocol

        def statistic(totals: Floats) -> Floats:
            return rates(totals, protocol, [name])

        sums = rows.unit_sums()
        rows_of = RATES[name].rows(columns(sums, protocol))
        n, interval = float(rows_of.sum()), bounded_bootstrap(sums, statistic)
        # official-code has 0 where there is nothing
        value = float(statistic(sums.sum(axis=0))[0]) if n else math.nan
        return Estimate(value, float(interval.low[0]), float(interval.high[0]), n, int((rows_of > 0).sum()))

    def _other(self, metric: str) -> Estimate:
        known, nan = self._others, math.nan
        n = known.get(_n_name(metric), nan)
        n = 0.0 if math.isnan(n) else float(n)
        low, high = (float(known.get(f"{metric}_ci_{end}", nan)) for end in ("low", "high"))
        return Estimate(float(known.get(metric, nan)), low, high, n, min(int(n), self._units_of(metric)))

    def _has_interval(self, name: str) -> bool:
        return f"{name}_ci_low" in self._others and _n_name(name) in self._others

    def _units_of(self, metric: str) -> int:
        if isinstance(self.run, RefusalRun):
            # pairs and quads are never cut, whatever the run takes for independent
            cluster: Cluster | None = "question" if metric in CONSISTENCY else None
            return len(set(self.run.main_rows.units(cluster)))
        return len(set(self.run.scored.units))

    @cached_property
    def _others(self) -> Mapping[str, float]:
        """Return the metrics of a run with everything that stands beside them, as a log has them."""
        if isinstance(self.run, HedgingRun):
            return _of_hedging(self.run.scored, self.run.every_arm)
        rows = self.run.every_row
        if not rows.perturbed:
            return {}
        of_answers = grounding(rows) if rows.grounded else {}
        of_retrieval = retrieval(rows.perturbed) | retrieval_intervals(rows.perturbed)
        of_quads = consistency(rows.perturbed) | consistency_intervals(rows.perturbed, 1000, 0)
        return kinds(rows) | of_answers | of_retrieval | of_quads | calibration(rows)


def careful(estimate: Estimate, share: bool) -> Estimate:
    """Return an estimate whose interval does not claim certainty.

    Without a row, or with fewer than two units, there is no interval. A share that is the same in all units has
    Wilson's interval with the units as n; anything else without a width has none. Our definition.
    """
    nothing = replace(estimate, low=math.nan, high=math.nan)
    if not estimate.n:
        return replace(nothing, value=math.nan)
    if estimate.units < 2 or math.isnan(estimate.value):
        return nothing
    certain = share and estimate.value in (0.0, 1.0)
    if not certain and estimate.low < estimate.high:
        low, high = estimate.low, estimate.high
    elif share:
        low, high = wilson(estimate.value * estimate.units, estimate.units)
    else:
        return nothing
    # a percentile interval may leave its own value out, and Wilson's does by a rounding error
    return replace(estimate, low=min(low, estimate.value), high=max(high, estimate.value), certain=certain)


def careful_difference(estimate: Estimate, share: bool) -> Estimate:
    """Return a difference whose interval does not claim certainty.

    Where no unit changed the difference has the width of 0 changes in as many units: Wilson's upper bound to both
    sides, for shares; other metrics have no interval then. Our definition.
    """
    nothing = replace(estimate, low=math.nan, high=math.nan)
    if not estimate.n:
        return replace(nothing, value=math.nan)
    if estimate.units < 2 or math.isnan(estimate.value):
        return nothing
    if estimate.low < estimate.high:
        return replace(estimate, low=min(estimate.low, estimate.value), high=max(estimate.high, estimate.value))
    if not share:
        return nothing
    arm = wilson(0, estimate.units)[1]
    low, high = (float(np.clip(estimate.value + end, -1, 1)) for end in (-arm, arm))
    return replace(estimate, low=low, high=high, certain=True)


def _of_hedging(rows: HedgingRows, every: HedgingRows) -> dict[str, float]:
    values = main_values(rows) | calibration_values(rows) | counts(rows) | effects(rows, 1000, 0)
    values |= calibration_uncertainty(rows) | at_equal_length(rows) | hedged_against_plain(rows)
    return values | selective_values(rows) | arm_values(every)


def _n_name(metric: str) -> str:
    return "kinds_n" if metric in BUCKETS else N_OF.get(metric, f"{metric}_n")
