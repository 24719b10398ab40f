"""What replies to BLUFF-1000 do under each kind of sources, and what the arms differ by: the manipulation check."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from refusalbench_tasks.metrics.arm_names import MEASURES, PAIRED, difference_name
from refusalbench_tasks.metrics.calibration import bin_index
from refusalbench_tasks.metrics.hedging_calibration import credited
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.cluster import Floats, Interval, bootstrap, bounded_bootstrap, cluster_sums
from refusalbench_tasks.stats.difference import shares_interval
from refusalbench_tasks.stats.known import known

_BINS = 10
_PERCENTILE = 20


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval by question, and the n of replies that it is over."""

    value: float
    low: float
    high: float
    n: float


def _hedges_at_all(rows: HedgingRows) -> Floats:
    return np.where(rows.answered & ~rows.left_out, (rows.column("hedges") > 0).astype(float), np.nan)


def _below_percentile(rows: HedgingRows) -> Floats:
    confidence = rows.column("confidence")
    some = known(confidence[rows.clear | rows.ambiguous])
    if not len(some):
        return np.full_like(confidence, np.nan)
    return np.where(np.isnan(confidence), np.nan, (confidence < np.percentile(some, _PERCENTILE)).astype(float))


def _refused(rows: HedgingRows) -> Floats:
    # without a grader only plain refusals are known
    return np.full(len(rows), np.nan) if rows.undecided_offline else rows.column("refused")


MEANS: Mapping[str, Callable[[HedgingRows], Floats]] = {
    "answer_correctness": credited,
    "hedge_rate": _hedges_at_all,
    "confidence_mean": lambda rows: rows.column("confidence"),
    "faithfulness": lambda rows: rows.column("faithfulness"),
    "refusal_rate_p20": _below_percentile,
    "refusal_rate": _refused,
}
"""What an arm has the mean of, as a value per reply in [0, 1], NaN where it has none.

A new one is an entry here and a name in `MEASURES`, in the same place; ECE is the last there.
"""


def arms_of(rows: HedgingRows) -> tuple[str, ...]:
    """Return the arms of a run: the paper's two, and after them whatever others it has."""
    return (*PAIRED, *sorted({row.arm for row in rows} - set(PAIRED)))


def arm_values(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return each measure of each arm with its n, and the differences ambiguous - clear with intervals and n.

    As `MEASURE_ARM`, `MEASURE_ARM_n`, `MEASURE_difference`, ..., for a log. The refusal rates of the two arms and
    their difference, the refusal sensitivity, are among its other metrics, and not here.
    """
    result: dict[str, float] = {}
    for measure, by_arm in arm_estimates(rows, resamples, seed).items():
        named_before = measure == "refusal_rate"
        for arm in arms_of(rows):
            if named_before and arm in PAIRED:
                continue
            result |= {f"{measure}_{arm}": by_arm[arm].value, f"{measure}_{arm}_n": by_arm[arm].n}
        if named_before:
            continue
        name, found = difference_name(measure), by_arm["difference"]
        result |= {name: found.value, f"{name}_ci_low": found.low, f"{name}_ci_high": found.high, f"{name}_n": found.n}
    return result


def arm_estimates(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, dict[str, Estimate]]:
    """Return each measure by arm, and its `difference`, with 95 % intervals by question.

    Each arm's mean is over its own replies, so that the n of a difference is that of both arms. The threshold of
    `refusal_rate_p20`, the 20th percentile of all confidences of the run, is held fixed in resamples. Where a mean is
    exactly 0 or 1, Wilson's interval of an arm stands, and Newcombe's of the difference of two such arms, with the
    questions as n.
    """
    arms, closed = arms_of(rows), rows.protocol != "official-code"
    nothing = Estimate(float("nan"), float("nan"), float("nan"), 0.0)
    if not rows:
        return {measure: dict.fromkeys((*arms, "difference"), nothing) for measure in MEASURES}
    sums = cluster_sums(np.column_stack([_cells(rows, arm, closed) for arm in arms]), rows.units)

    def statistic(totals: Floats) -> Floats:
        by_arm = [_values(part) for part in np.split(totals, len(arms), axis=-1)]
        return np.concatenate([*by_arm, by_arm[1] - by_arm[0]], axis=-1)

    values = statistic(sums.sum(axis=0)).reshape(-1, len(MEASURES))
    plain, bounded = (_bounds(draw(sums, statistic, resamples, seed)) for draw in (bootstrap, bounded_bootstrap))
    ns = _numbers(sums.sum(axis=0), len(arms))
    result: dict[str, dict[str, Estimate]] = {}
    for i, measure in enumerate(MEASURES):
        chosen = bounded if measure in MEANS else plain
        result[measure] = {
            arm: Estimate(float(values[k, i]), float(chosen[k, i, 0]), float(chosen[k, i, 1]), float(ns[k, i]))
            for k, arm in enumerate(arms)
        }
        low, high = plain[-1, i]
        if low == high and measure in MEANS and set(values[:2, i]) <= {0.0, 1.0}:
            low, high = _certain_difference(sums, values[:2, i], i, len(arms))
        result[measure]["difference"] = Estimate(
            float(values[-1, i]), float(low), float(high), float(ns[0, i] + ns[1, i])
        )
    return result


def _cells(rows: HedgingRows, arm: str, closed: bool) -> Floats:
    """Return what the measures of an arm are sums of: of each mean its values and n, then of each bin, then ECE's n."""
    inside = np.array([row.arm == arm for row in rows], dtype=bool)
    columns = []
    for values_of in MEANS.values():
        values = np.where(inside, values_of(rows), np.nan)
        columns += [np.nan_to_num(values), ~np.isnan(values)]
    confidence, grade = rows.column("confidence"), credited(rows)
    both = inside & ~(np.isnan(confidence) | np.isnan(grade))
    index = np.full(len(rows), -1)
    index[both] = bin_index(confidence[both], _BINS, closed)
    for k in range(_BINS):
        columns += [np.where(index == k, grade - confidence, 0.0)]
    return np.column_stack([*columns, both]).astype(float)


def _values(totals: Floats) -> Floats:
    """Return the measures of an arm from sums of its cells: shape (..., k) to (..., len(MEASURES))."""
    m = 2 * len(MEANS)
    top, n = totals[..., 0:m:2], totals[..., 1:m:2]
    # the n-weighted distance of a bin's means is the distance of its sums
    gaps, rows = np.abs(totals[..., m:-1]).sum(axis=-1, keepdims=True), totals[..., -1:]
    top, n = np.concatenate([top, gaps], axis=-1), np.concatenate([n, rows], axis=-1)
    result: Floats = np.where(n > 0, top / np.where(n > 0, n, 1.0), np.nan)
    return result


def _numbers(totals: Floats, arms: int) -> Floats:
    """Return the n of each measure by arm, shape (arms, len(MEASURES))."""
    m = 2 * len(MEANS)
    parts = np.split(totals, arms, axis=-1)
    return np.array([[*part[1:m:2], part[-1]] for part in parts])


def _bounds(interval: Interval) -> Floats:
    return np.stack([interval.low, interval.high], axis=-1).reshape(-1, len(MEASURES), 2)


def _certain_difference(sums: Floats, means: Sequence[float] | Floats, i: int, arms: int) -> tuple[float, float]:
    """Return Newcombe's interval of the difference of two arms' means, with the questions that have a value as n."""
    questions = [float((part[:, 2 * i + 1] > 0).sum()) for part in np.split(sums, arms, axis=-1)[:2]]
    return shares_interval(float(means[0]), questions[0], float(means[1]), questions[1])
