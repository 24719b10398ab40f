"""The measures of BLUFF-1000 that are functions of sums over replies: one table, from
which all else is computed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from refusalbench_tasks.metrics.hedging_columns import BINS, NAMED, Columns
from refusalbench_tasks.metrics.hedging_table import PAIRED
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, cluster_sums
from refusalbench_tasks.stats.difference import shares_interval
from refusalbench_tasks.stats.estimate import Estimate, estimates

Better = Literal["higher", "lower", "neither"]
Sums = Mapping[str, Floats]
"""Sums over the replies of an arm: of a column `x` as `x`, and as `n x` how many
replies have it; bins, moments.
"""
_CORRELATED = (
    ("confidence", "answer_correctness"),
    ("confidence", "quality"),
    ("confidence", "hosts"),
)


@dataclass(frozen=True)
class Measure:
    """A number that is a function of sums over replies, so that it can be resampled by
    cluster.
    """

    value: Callable[[Sums], Floats]
    """NaN or infinite where it is undefined."""
    n: str
    """The sum that counts the replies that it is over."""
    better: Better = "higher"
    share: bool = True
    """Whether it lies in [0, 1], and 0 and 1 are its bounds."""
    own: bool = False
    """Whether only the clusters that have a reply of it are resampled."""
    arm: str = ""
    """The arm whose replies it is over, empty for all; `difference` is ambiguous -
    clear, each over its own replies.
    """

    def of(self, arms: Mapping[str, Sums]) -> Floats:
        """Return the number from the sums of each arm; NaN where it is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = [self.value(arms[arm]) for arm in self.arms]
            value = found[0] if len(found) == 1 else found[1] - found[0]
        return np.where(np.isfinite(value), value, np.nan)

    @property
    def bounded(self) -> bool:
        """Return whether 0 and 1 are the bounds of the number itself, which they are
        not of a difference.
        """
        return self.share and self.arm != "difference"

    @property
    def arms(self) -> tuple[str, ...]:
        """Return the arms whose replies it is over."""
        return PAIRED if self.arm == "difference" else (self.arm,)


@dataclass(frozen=True)
class ArmSums:
    """The sums over the replies of each cluster, shape (clusters, arms x names); the
    first arm is all replies.
    """

    rows: Floats
    arms: tuple[str, ...]
    names: tuple[str, ...]

    def values(self, measures: Sequence[Measure], sums: Floats) -> Floats:
        """Return measures of sums of rows, shape (..., arms x names) to (...,
        measures).
        """
        arms = self._named(sums)
        return np.stack([one.of(arms) for one in measures], axis=-1)

    def sizes(self, measures: Sequence[Measure], sums: Floats) -> Floats:
        """Return the n of measures, in the shape of `values`."""
        arms = self._named(sums)
        return np.stack(
            [sum(arms[arm][one.n] for arm in one.arms) for one in measures], axis=-1
        )

    def _named(self, sums: Floats) -> dict[str, Sums]:
        parts = np.moveaxis(sums, -1, 0).reshape(
            len(self.arms), len(self.names), *sums.shape[:-1]
        )
        return {
            arm: dict(zip(self.names, part, strict=True))
            for arm, part in zip(self.arms, parts, strict=True)
        }


def arm_sums(of: Columns, places: ClusterIndex) -> ArmSums:
    """Return the sums over the replies of each cluster, given the place of each
    reply's.
    """
    cells = {name: np.nan_to_num(column) for name, column in of.items()}
    cells |= {
        f"n {name}": (~np.isnan(column)).astype(float) for name, column in of.items()
    }
    gap = np.nan_to_num(of["answer_correctness"] - of["confidence"])
    cells |= {f"bin {k}": np.where(of["bin"] == k, gap, 0.0) for k in range(BINS)}
    for x, y in _CORRELATED:
        known = ~np.isnan(of[x] + of[y])
        # moments about the mean of all replies change no correlation, and keep their
        # digits
        a, b = (
            np.where(known, v - (v[known].mean() if known.any() else 0.0), 0.0)
            for v in (of[x], of[y])
        )
        moments = {
            "a": a,
            "b": b,
            "aa": a * a,
            "bb": b * b,
            "ab": a * b,
            "n": known.astype(float),
        }
        cells |= {f"{x} {y} {name}": moment for name, moment in moments.items()}
    rows = np.column_stack([*cells.values()])
    under = {
        name.removeprefix("under_"): column[:, None]
        for name, column in of.items()
        if name.startswith("under_")
    }
    blocks = [
        cluster_sums(rows, places),
        *(cluster_sums(rows * arm, places) for arm in under.values()),
    ]
    return ArmSums(np.hstack(blocks), ("", *under), tuple(cells))


def mean(
    name: str,
    better: Better = "higher",
    share: bool = True,
    own: bool = False,
    arm: str = "",
) -> Measure:
    """Return the mean of a column."""
    return Measure(
        lambda s: s[name] / s[f"n {name}"], f"n {name}", better, share, own, arm
    )


def _number(name: str, better: Better) -> Measure:
    """Return the sum of a column; undefined where no reply has it."""
    return Measure(
        lambda s: np.where(s[f"n {name}"] > 0, s[name], np.nan),
        f"n {name}",
        better,
        share=False,
    )


def _correlation(x: str, y: str) -> Measure:
    """Return Pearson's r of two columns over the replies that have both; NaN without
    variance.
    """

    def value(s: Sums) -> Floats:
        a, b, aa, bb, ab, n = (
            s[f"{x} {y} {name}"] for name in ("a", "b", "aa", "bb", "ab", "n")
        )
        spread = np.sqrt(np.maximum(aa - a * a / n, 0) * np.maximum(bb - b * b / n, 0))
        return np.where(spread > 1e-12, (ab - a * b / n) / spread, np.nan)

    return Measure(value, f"{x} {y} n", share=False, own=True)


def _calibration_error(s: Sums) -> Floats:
    # the n-weighted distance of a bin's means is the distance of its sums
    error: Floats = (
        np.abs([s[f"bin {k}"] for k in range(BINS)]).sum(axis=0) / s["n brier"]
    )
    return error


def _correctness_gap(s: Sums) -> Floats:
    """Return the mean correctness of hedged answers - that of plain ones (the paper's
    H2).
    """
    hedged, plain = (
        s[name] / s[f"n {name}"] for name in ("hedged_correctness", "plain_correctness")
    )
    return hedged - plain


def _hedges(
    value: Callable[..., Floats], better: Better = "higher", share: bool = True
) -> Measure:
    """Return a measure of four sums: wrong answers that hedge, answers that hedge,
    wrong ones, all that are graded.
    """
    return Measure(
        lambda s: value(*(s[k] for k in ("hedged_wrong", "hedged", "wrong", "graded"))),
        "graded",
        better,
        share,
    )


MEASURES: Mapping[str, Measure] = {
    "vui": _hedges(lambda both, hedged, wrong, n: 2 * both / (hedged + wrong)),
    "vui_of_always_hedging": _hedges(
        lambda both, hedged, wrong, n: 2 * wrong / (n + wrong), "neither"
    ),
    "hedge_precision": mean("hedge_precision"),
    "hedge_recall": mean("hedge_recall"),
    "hedge_base_rate": mean("hedge_base_rate", "neither"),
    "hedge_lift": _hedges(
        lambda both, hedged, wrong, n: both / hedged / (wrong / n), share=False
    ),
    "hedged_correctness": mean("hedged_correctness", "neither"),
    "plain_correctness": mean("plain_correctness", "neither"),
    "hedged_correctness_difference": Measure(
        _correctness_gap, "graded", "neither", share=False, own=True
    ),
    "source_set_on_hedging": mean("hedges", "neither", share=False, arm="difference"),
    "hedge_strength": mean("hedge_strength", "neither", share=False),
    "lexical_overconfidence": mean("lexical_overconfidence", "lower"),
    "refusal_count": _number("refusal_rate", "neither"),
    "refusal_rate": mean("refusal_rate", "neither"),
    "refusal_rate_clear": mean("refusal_rate", "neither", arm="clear"),
    "refusal_rate_ambiguous": mean("refusal_rate", "neither", arm="ambiguous"),
    "refusal_sensitivity": mean("refusal_rate", arm="difference"),
    "refusal_rate_p20": mean("refusal_rate_p20", "neither"),
    "missed_refusals": _number("missed_refusals", "lower"),
    "answer_correctness": mean("answer_correctness"),
    "faithfulness": mean("faithfulness"),
    "overlap": mean("overlap"),
    "attribution": mean("attribution"),
    "hallucination": mean("hallucination", "lower"),
    "grounding": mean("grounding"),
    "ece": Measure(_calibration_error, "n brier", "lower", share=False, own=True),
    "brier": mean("brier", "lower", share=False, own=True),
    "confidence_accuracy_correlation": _correlation("confidence", "answer_correctness"),
    "confidence_mean": mean("confidence", "neither"),
    "confidence_mass": mean("confidence_mass"),
    "source_awareness": _correlation("confidence", "quality"),
    "source_diversity": _correlation("confidence", "hosts"),
    "no_reply_rate": mean("no_reply", "lower"),
    "unscored_rate": mean("unscored", "lower"),
}
"""Every measure over the replies of the paper's two arms.

A new one is an entry here, and a column if it needs one.
"""
BY_ARM: Mapping[str, Measure] = {
    "hedge_rate": mean("hedge_rate", "neither"),
    **{
        name: MEASURES[name]
        for name in (
            "answer_correctness",
            "confidence_mean",
            "faithfulness",
            "refusal_rate_p20",
            "refusal_rate",
            "ece",
        )
    },
}
"""What is told of each arm, and of the difference of the paper's two."""
WORDING_BY_ARM: Mapping[str, Measure] = {
    name: mean(name, "neither")
    for name in ("decisiveness", *(f"named_{name.lower()}" for name in NAMED))
}
"""What is told of each arm where a grader was asked about the wording."""


def measured(
    measures: Mapping[str, Measure], of: ArmSums, resamples: int = 1000, seed: int = 0
) -> dict[str, Estimate]:
    """Return measures with n, errors and 95 % intervals from resampling clusters.

    A share that is 0 or 1 has Wilson's interval, and a difference of two such shares
    Newcombe's, with the clusters as n: every resample gives the same, and the
    percentiles would claim certainty. The jackknife is over the clusters that have a
    reply of the measure. With `resamples=0` there are no intervals.
    """

    def found(names: Sequence[str], rows: Floats) -> dict[str, Estimate]:
        chosen = [measures[name] for name in names]
        unbounded = [name for name in names if not measures[name].bounded]
        return estimates(
            names,
            rows,
            lambda s: of.values(chosen, s),
            lambda s: of.sizes(chosen, s),
            resamples,
            seed,
            unbounded,
        )

    result = found([name for name, one in measures.items() if not one.own], of.rows)
    for name, one in measures.items():
        if one.own:
            result |= found([name], of.rows[of.sizes([one], of.rows)[:, 0] > 0])
        if (
            one.share
            and one.arm == "difference"
            and result[name].low == result[name].high
        ):
            result[name] = _not_certain(one, result[name], of)
    return {name: result[name] for name in measures}


def _not_certain(measure: Measure, found: Estimate, of: ArmSums) -> Estimate:
    """Return a difference of two arms' shares with Newcombe's interval, if these are 0
    or 1.
    """
    arms = [replace(measure, arm=arm) for arm in PAIRED]
    p1, p2 = of.values(arms, of.rows.sum(axis=0)).tolist()
    n1, n2 = (of.sizes(arms, of.rows) > 0).sum(axis=0).tolist()
    if not {p1, p2} <= {0.0, 1.0}:
        return found
    low, high = shares_interval(p1, n1, p2, n2)
    return replace(found, low=low, high=high)
