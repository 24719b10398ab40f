"""Whether writers pass their own items more often than others do: the paper's figures 3 and 17."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.generators.judged import Judged, Row
from refusalbench_tasks.stats.cluster import Floats, Interval, bootstrap, cluster_sums
from refusalbench_tasks.taxonomy import CLASSES

NEUTRAL = 0.05
"""A self-evaluation gap within this is called neutral (ours; the paper prints no band)."""


def self_against_cross(matched: Sequence[Judged]) -> list[Row]:
    """Return by writer: pass rate by itself, mean pass rate by the others, their gap with a 95 % interval."""
    return [{"writer": writer, **_gap(own)} for writer, own in _by_writer(matched).items()]


def self_against_cross_by_class(matched: Sequence[Judged]) -> list[Row]:
    """Return the same by class and writer (paper, appendix E.4)."""
    rows: list[Row] = []
    for name in CLASSES:
        own_class = [one for one in matched if one.item.perturbation is name]
        rows += [{"class": name.value, "writer": writer, **_gap(own)} for writer, own in _by_writer(own_class).items()]
    return rows


def self_and_cross_means(matched: Sequence[Judged]) -> list[Row]:
    """Return the means over writers of self and cross pass rates and of the gap, with 95 % intervals.

    The pair that the paper's RQ1 leads with: each writer counts once. One row, or none without a writer that is a
    verifier as well.
    """
    by_writer = _by_writer(matched)
    if not by_writer:
        return []
    rows = [(k, one) for k, own in enumerate(by_writer.values()) for one in own]
    cells = np.zeros((len(rows), 3 * len(by_writer)))
    for line, (k, one) in zip(cells, rows, strict=True):
        line[3 * k : 3 * k + 3] = _weighed(one)
    means = _means(cells.sum(axis=0))
    interval = bootstrap(cluster_sums(cells, [one.item.source_id for _, one in rows]), _means)
    row: Row = {"writers": len(by_writer), "n": len(rows)}
    for k, name in enumerate(("self", "cross", "gap")):
        row |= {name: float(means[k])} | _ends(interval, k, f"{name}_")
    return [row]


def _by_writer(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Return the items of each writer that it judged itself, beside others."""
    found: dict[str, list[Judged]] = {}
    for one in sorted(judged, key=lambda one: one.item.writer):
        if one.item.writer in one.votes and len(one.votes) > 1:
            found.setdefault(one.item.writer, []).append(one)
    return found


def _gap(own: Sequence[Judged]) -> Row:
    cells = np.array([_weighed(one) for one in own])
    self_rate, cross_rate, gap = map(float, _means(cells.sum(axis=0)))
    interval = bootstrap(cluster_sums(cells, [one.item.source_id for one in own]), _means)
    called = "neutral" if abs(gap) <= NEUTRAL else "favours itself" if gap > 0 else "stricter with itself"
    values: Row = {"n": len(own), "self": self_rate, "cross": cross_rate, "gap": gap}
    return values | _ends(interval, 2, "ci_") | {"reading": called}


def _ends(interval: Interval, k: int, prefix: str) -> Row:
    return {f"{prefix}low": float(interval.low[k]), f"{prefix}high": float(interval.high[k])}


def _weighed(one: Judged) -> list[float]:
    others = [passed for name, passed in one.votes.items() if name != one.item.writer]
    return [one.weight * share for share in (float(one.votes[one.item.writer]), sum(others) / len(others), 1.0)]


def _means(totals: Floats) -> Floats:
    """Return self rate, cross rate and gap, the means over writers, of sums of three columns a writer."""
    with np.errstate(invalid="ignore"):  # no item of a writer in a resample: undefined, and left out
        self_rate = (totals[..., 0::3] / totals[..., 2::3]).mean(axis=-1)
        cross_rate = (totals[..., 1::3] / totals[..., 2::3]).mean(axis=-1)
    means: Floats = np.stack([self_rate, cross_rate, self_rate - cross_rate], axis=-1)
    return means
