"""The measures of BLUFF-1000 that are functions of sums over replies: one table, from which all else is computed.

A measure has cells, numbers that each reply adds, and a value of their sums. So it can be resampled by cluster,
restricted to an arm, and taken as a difference of two arms, ambiguous - clear.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from refusalbench_tasks.metrics.hedging_columns import BINS, NAMED, PAIRED, Columns
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, cluster_sums
from refusalbench_tasks.stats.difference import shares_interval
from refusalbench_tasks.stats.estimate import Estimate, estimates

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True)
class Measure:
    """A number that is a function of sums over replies."""

    cells: Callable[[Columns], Sequence[Floats]]
    """What each reply adds, arrays of shape (n,); the last counts the replies that it is over."""
    value: Callable[..., Floats]
    """Maps the sums of the cells, in their order, to the number; NaN or infinite where it is undefined."""
    share: bool = True
    """Whether it lies in [0, 1], and 0 and 1 are its bounds."""
    better: Better = "higher"
    own: bool = False
    """Whether only the clusters that have a reply of it are resampled."""
    of_arms: "Measure | None" = None
    """What it is a difference of; its cells are then those of the clear arm and of the ambiguous one."""

    def n(self, sums: Floats) -> Floats:
        """Return the number of replies, shape (..., k) to (...)."""
        count: Floats = sums[..., -1]
        return count if self.of_arms is None else count + sums[..., sums.shape[-1] // 2 - 1]

    def statistic(self, sums: Floats) -> Floats:
        """Return the number from sums of its cells, shape (..., k) to (..., 1); NaN where undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.asarray(self.value(*np.moveaxis(sums, -1, 0)), dtype=float)
        found: Floats = np.where(np.isfinite(value), value, np.nan)[..., None]
        return found


def mean(name: str, better: Better = "higher", share: bool = True, own: bool = False) -> Measure:
    """Return the mean of a column."""

    def cells(c: Columns) -> Sequence[Floats]:
        return np.nan_to_num(c[name]), (~np.isnan(c[name])).astype(float)

    return Measure(cells, lambda total, n: total / n, share, better, own)


def _number(name: str, better: Better) -> Measure:
    """Return the sum of a column; undefined where no reply has it."""
    return replace(mean(name, better, share=False), value=lambda total, n: np.where(n > 0, total, np.nan))


def _correlation(x: str, y: str, better: Better = "higher", own: bool = True) -> Measure:
    """Return Pearson's r of two columns over the replies that have both; NaN without variance."""

    def cells(c: Columns) -> Sequence[Floats]:
        known = ~(np.isnan(c[x]) | np.isnan(c[y]))
        # moments about the mean of all replies change no correlation, and keep their digits
        a, b = (np.where(known, v - (v[known].mean() if known.any() else 0.0), 0.0) for v in (c[x], c[y]))
        return a, b, a * a, b * b, a * b, known.astype(float)

    def value(a: Floats, b: Floats, aa: Floats, bb: Floats, ab: Floats, n: Floats) -> Floats:
        spread = np.sqrt(np.maximum(aa - a * a / n, 0) * np.maximum(bb - b * b / n, 0))
        return np.where(spread > 1e-12, (ab - a * b / n) / spread, np.nan)

    return Measure(cells, value, share=False, better=better, own=own)


def _calibration_error() -> Measure:
    """Return the expected calibration error over ten bins of equal width."""

    def cells(c: Columns) -> Sequence[Floats]:
        gap = c["answer_correctness"] - c["confidence"]
        return *(np.where(c["bin"] == k, np.nan_to_num(gap), 0.0) for k in range(BINS)), (~np.isnan(gap)).astype(float)

    def value(*sums: Floats) -> Floats:
        # the n-weighted distance of a bin's means is the distance of its sums
        error: Floats = np.abs(sums[:-1]).sum(axis=0) / sums[-1]
        return error

    return Measure(cells, value, share=False, better="lower", own=True)


def _hedges(value: Callable[..., Floats], better: Better = "higher", share: bool = True) -> Measure:
    """Return a measure of four sums: wrong answers that hedge, answers that hedge, wrong ones, all that are graded."""
    return Measure(lambda c: [c[k] for k in ("hedged_wrong", "hedged", "wrong", "graded")], value, share, better)


def _correctness_gap() -> Measure:
    """Return the mean correctness of hedged answers - that of plain ones (the paper's H2)."""
    parts = [mean("hedged_correctness"), mean("plain_correctness")]

    def cells(c: Columns) -> Sequence[Floats]:
        return *(cell for part in parts for cell in part.cells(c)), c["graded"]

    return Measure(cells, lambda t, n, u, m, _: t / n - u / m, share=False, better="neither", own=True)


def of_arm(measure: Measure, arm: str) -> Measure:
    """Return a measure of the replies of one arm."""
    return replace(measure, cells=lambda c: [c[f"under_{arm}"] * cell for cell in measure.cells(c)], own=False)


def difference(measure: Measure, better: Better = "higher") -> Measure:
    """Return ambiguous - clear of a measure, each arm over its own replies."""
    parts = [of_arm(measure, arm) for arm in PAIRED]

    def value(*sums: Floats) -> Floats:
        half = len(sums) // 2
        gap: Floats = measure.value(*sums[half:]) - measure.value(*sums[:half])
        return gap

    def cells(c: Columns) -> Sequence[Floats]:
        return [cell for part in parts for cell in part.cells(c)]

    return Measure(cells, value, share=False, better=better, of_arms=measure)


_REFUSALS = mean("refusal_rate", "neither")
MEASURES: Mapping[str, Measure] = {
    "vui": _hedges(lambda both, hedged, wrong, n: 2 * both / (hedged + wrong)),
    "vui_of_always_hedging": _hedges(lambda both, hedged, wrong, n: 2 * wrong / (n + wrong), "neither"),
    "hedge_precision": mean("hedge_precision"),
    "hedge_recall": mean("hedge_recall"),
    "hedge_base_rate": mean("hedge_base_rate", "neither"),
    "hedge_lift": _hedges(lambda both, hedged, wrong, n: both / hedged / (wrong / n), share=False),
    "hedged_correctness": mean("hedged_correctness", "neither"),
    "plain_correctness": mean("plain_correctness", "neither"),
    "hedged_correctness_difference": _correctness_gap(),
    "source_set_on_hedging": difference(mean("hedges", share=False), "neither"),
    "hedge_strength": mean("hedge_strength", "neither", share=False),
    "lexical_overconfidence": mean("lexical_overconfidence", "lower"),
    "refusal_count": _number("refusal_rate", "neither"),
    "refusal_rate": _REFUSALS,
    "refusal_rate_clear": of_arm(_REFUSALS, "clear"),
    "refusal_rate_ambiguous": of_arm(_REFUSALS, "ambiguous"),
    "refusal_sensitivity": difference(_REFUSALS),
    "refusal_rate_p20": mean("refusal_rate_p20", "neither"),
    "missed_refusals": _number("missed_refusals", "lower"),
    "answer_correctness": mean("answer_correctness"),
    "faithfulness": mean("faithfulness"),
    "overlap": mean("overlap"),
    "attribution": mean("attribution"),
    "hallucination": mean("hallucination", "lower"),
    "grounding": mean("grounding"),
    "ece": _calibration_error(),
    "brier": mean("brier", "lower", share=False, own=True),
    "confidence_accuracy_correlation": _correlation("confidence", "answer_correctness"),
    "confidence_mean": mean("confidence", "neither"),
    "confidence_mass": mean("confidence_mass"),
    "source_awareness": _correlation("confidence", "quality"),
    "source_diversity": _correlation("confidence", "hosts"),
    "position_bias": mean("position_bias", "neither", share=False),
    "no_reply_rate": mean("no_reply", "lower"),
    "unscored_rate": mean("unscored", "lower"),
}
"""Every measure over the replies of the paper's two arms. A new one is an entry here, and a column if it needs one."""
WORDING: Mapping[str, Measure] = {
    "decisiveness_hedge_strength_correlation": _correlation("decisiveness", "hedge_strength", "lower", own=False),
    "decisiveness_hedged_correlation": _correlation("decisiveness", "hedged_at_all", "lower", own=False),
}
"""The agreement of the list of hedges with a grader who was asked how firmly answers are put: -1 would be perfect."""
BY_ARM: Mapping[str, Measure] = {
    "answer_correctness": MEASURES["answer_correctness"],
    "hedge_rate": mean("hedge_rate", "neither"),
    "confidence_mean": MEASURES["confidence_mean"],
    "faithfulness": MEASURES["faithfulness"],
    "refusal_rate_p20": MEASURES["refusal_rate_p20"],
    "refusal_rate": _REFUSALS,
    "ece": MEASURES["ece"],
}
"""What is told of each arm, and of the difference of the paper's two."""
WORDING_BY_ARM: Mapping[str, Measure] = {
    name: mean(name, "neither") for name in ("decisiveness", *(f"named_{name.lower()}" for name in NAMED))
}
"""What is told of each arm where a grader was asked about the wording."""


def measured(
    measures: Mapping[str, Measure], of: Columns, places: ClusterIndex, resamples: int = 1000, seed: int = 0
) -> dict[str, Estimate]:
    """Return measures with n, errors and 95 % intervals from resampling clusters, given each reply's place.

    A share that is 0 or 1 has Wilson's interval, and a difference of two such shares Newcombe's, with the clusters as
    n: every resample gives the same, and the percentiles would claim certainty. The jackknife is over the clusters that
    have a reply of the measure. With `resamples=0` there are no intervals.
    """
    sums = {name: cluster_sums(np.column_stack(one.cells(of)).astype(float), places) for name, one in measures.items()}
    # measures of the same clusters share their resamples
    groups: dict[bytes, list[str]] = defaultdict(list)
    for name, one in measures.items():
        groups[(one.n(sums[name]) > 0).tobytes() if one.own else b""].append(name)
    found: dict[str, Estimate] = {}
    for mask, names in groups.items():
        drawn = np.frombuffer(mask, dtype=bool) if mask else np.ones(len(sums[names[0]]), dtype=bool)
        found |= _together({name: (measures[name], sums[name][drawn]) for name in names}, resamples, seed)
    return {name: _not_certain(measures[name], found[name], sums[name]) for name in measures}


def _together(parts: Mapping[str, tuple[Measure, Floats]], resamples: int, seed: int) -> dict[str, Estimate]:
    ends = np.cumsum([sums.shape[-1] for _, sums in parts.values()])[:-1]
    every = [one for one, _ in parts.values()]

    def each(part: Floats) -> Iterator[tuple[Measure, Floats]]:
        return zip(every, np.split(part, ends, axis=-1), strict=True)

    return estimates(
        tuple(parts),
        np.concatenate([sums for _, sums in parts.values()], axis=-1),
        lambda part: np.concatenate([one.statistic(cells) for one, cells in each(part)], axis=-1),
        lambda part: np.stack([one.n(cells) for one, cells in each(part)], axis=-1),
        resamples,
        seed,
        [name for name, (one, _) in parts.items() if not one.share],
    )


def _not_certain(measure: Measure, found: Estimate, sums: Floats) -> Estimate:
    if measure.of_arms is None or not measure.of_arms.share or found.low != found.high:
        return found
    low, high = _certain_difference(measure.of_arms, sums) or (found.low, found.high)
    return replace(found, low=low, high=high)


def _certain_difference(measure: Measure, sums: Floats) -> tuple[float, float] | None:
    """Return Newcombe's interval of the difference of two arms' shares that are 0 or 1; None for others."""
    arms = np.split(sums, 2, axis=-1)
    (p1, n1), (p2, n2) = (
        (float(measure.statistic(arm.sum(axis=0))[0]), float((measure.n(arm) > 0).sum())) for arm in arms
    )
    return shares_interval(p1, n1, p2, n2) if {p1, p2} <= {0.0, 1.0} else None
