"""What a grader says of the wording of answers to BLUFF-1000, its agreement with the list, and the bias of p(true)."""

from collections.abc import Callable

import numpy as np

from refusalbench_tasks.metrics.arm_names import PAIRED
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.cluster import (
    Floats,
    Interval,
    Mask,
    Statistic,
    bootstrap,
    bounded_bootstrap,
    cluster_sums,
)
from refusalbench_tasks.stats.difference import shares_interval

NAMED = ("CONFLICT", "GAP", "NEITHER")


def wording_values(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return decisiveness and what is named, by arm, and the agreement with the list; nothing if nobody was asked.

    Over answers for which a grader gave the number, or the label. Differences are ambiguous - clear, each arm over its
    own answers. Agreement is Pearson's correlation of decisiveness with the summed strength of the reply's hedges, and
    with whether it hedges at all: -1 would be perfect. Intervals (95 %) resample questions. Ours.
    """
    if not any(row.wording_judged for row in rows):
        return {}
    decisiveness: Floats = np.array([row.decisiveness if row.answered else np.nan for row in rows], dtype=float)
    labels = [row.named if row.answered else None for row in rows]
    known: Mask = np.array([label is not None for label in labels], dtype=bool)
    result = _by_arm("decisiveness", decisiveness, rows, resamples, seed)
    for name in NAMED:
        says: Floats = np.array([label == name for label in labels], dtype=float)
        result |= _by_arm(f"named_{name.lower()}", np.where(known, says, np.nan), rows, resamples, seed)
    hedged = (rows.column("hedges") > 0).astype(float)
    for name, other in (("hedge_strength", rows.column("hedge_strength")), ("hedged", hedged)):
        result |= _agreement(f"decisiveness_{name}_correlation", decisiveness, other, rows, resamples, seed)
    judged = sum(row.wording_judged and row.answered for row in rows)
    return result | {"n_wording_unjudged": float(judged - int((~np.isnan(decisiveness)).sum()))}


def position_values(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return by how much more probable "true" is as A than as B, on average; nothing if one order was asked.

    With the 95 % interval by question and the n of replies that were asked in both orders. 0 is no bias, and above 0
    favours A. Ours.
    """
    bias: Floats = np.array([row.position_bias for row in rows], dtype=float)
    some = ~np.isnan(bias)
    if not some.any():
        return {}
    sums = cluster_sums(np.column_stack([np.nan_to_num(bias), some]).astype(float), rows.units)
    return _named(("position_bias",), sums, _share, resamples, seed) | {"position_bias_n": float(some.sum())}


def _by_arm(name: str, values: Floats, rows: HedgingRows, resamples: int, seed: int) -> dict[str, float]:
    cells, result = [], {}
    for arm, inside in zip(PAIRED, (rows.clear, rows.ambiguous), strict=True):
        some = inside & ~np.isnan(values)
        cells += [np.where(some, values, 0.0), some]
        result[f"{name}_{arm}_n"] = float(some.sum())
    sums = cluster_sums(np.column_stack(cells).astype(float), rows.units)

    def statistic(totals: Floats) -> Floats:
        clear, ambiguous = _share(totals[..., :2]), _share(totals[..., 2:])
        return np.concatenate([clear, ambiguous, ambiguous - clear], axis=-1)

    names = (*(f"{name}_{arm}" for arm in PAIRED), f"{name}_difference")
    found = _named(names, sums, statistic, resamples, seed, bounded_bootstrap)
    plain = _named(names, sums, statistic, resamples, seed)
    means = [found[f"{name}_{arm}"] for arm in PAIRED]
    low, high = plain[f"{name}_difference_ci_low"], plain[f"{name}_difference_ci_high"]
    if low == high and set(means) <= {0.0, 1.0}:
        # as of the arms: no resample differs, which would claim certainty
        questions = [float((sums[:, k] > 0).sum()) for k in (1, 3)]
        low, high = shares_interval(means[0], questions[0], means[1], questions[1])
    found |= {f"{name}_difference_ci_low": low, f"{name}_difference_ci_high": high}
    return found | result | {f"{name}_difference_n": sum(result.values())}


def _agreement(name: str, x: Floats, y: Floats, rows: HedgingRows, resamples: int, seed: int) -> dict[str, float]:
    some = ~(np.isnan(x) | np.isnan(y))
    a, b = np.where(some, x, 0.0), np.where(some, y, 0.0)
    sums = cluster_sums(np.column_stack([some, a, b, a * a, b * b, a * b]).astype(float), rows.units)
    return _named((name,), sums, _correlation, resamples, seed) | {f"{name}_n": float(some.sum())}


def _correlation(totals: Floats) -> Floats:
    n, a, b, aa, bb, ab = (totals[..., i] for i in range(6))
    count = np.maximum(n, 1)
    spread = (aa - a * a / count) * (bb - b * b / count)
    defined = spread > 1e-12
    found: Floats = np.where(defined, (ab - a * b / count) / np.sqrt(np.where(defined, spread, 1.0)), np.nan)
    return found[..., None]


def _share(totals: Floats) -> Floats:
    top, n = totals[..., :1], totals[..., 1:]
    result: Floats = np.where(n > 0, top / np.where(n > 0, n, 1.0), np.nan)
    return result


def _named(
    names: tuple[str, ...],
    sums: Floats,
    statistic: Statistic,
    resamples: int,
    seed: int,
    draw: Callable[[Floats, Statistic, int, int], Interval] = bootstrap,
) -> dict[str, float]:
    values, interval = statistic(sums.sum(axis=0)), draw(sums, statistic, resamples, seed)
    result: dict[str, float] = {}
    for i, name in enumerate(names):
        low, high = float(interval.low[i]), float(interval.high[i])
        result |= {name: float(values[i]), f"{name}_ci_low": low, f"{name}_ci_high": high}
    return result
