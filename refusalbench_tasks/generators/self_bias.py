"""Whether writers pass their own items more often than others do: the paper's figures 3 and 17."""

from collections.abc import Callable

import numpy as np

from refusalbench_tasks.generators.ballots import Ballot
from refusalbench_tasks.generators.judged import Judged, Row
from refusalbench_tasks.stats.cluster import Floats, Interval, bootstrap, cluster_sums, sums_at, without_gaps
from refusalbench_tasks.taxonomy import CLASSES, PerturbationClass

NEUTRAL = 0.05
"""A self-evaluation gap within this is called neutral (ours; the paper prints no band)."""


def self_against_cross(matched: Judged) -> list[Row]:
    """Return by writer: pass rate by itself, mean pass rate by the others, their gap with a 95 % interval."""
    return [{"writer": writer, **_gap(writer, own)} for writer, own in _by_writer(matched).items()]


def self_against_cross_by_class(matched: Judged) -> list[Row]:
    """Return the same by class and writer (paper, appendix E.4)."""
    rows: list[Row] = []
    for name in CLASSES:
        found = _by_writer(matched.where(_is_of(name))).items()
        rows += [{"class": name.value, "writer": writer, **_gap(writer, own)} for writer, own in found]
    return rows


def self_and_cross_means(matched: Judged) -> list[Row]:
    """Return the means over writers of self and cross pass rates and of the gap, with 95 % intervals.

    The pair that the paper's RQ1 leads with: each writer counts once. One row, or none without a writer that is a
    verifier as well.
    """
    by_writer = _by_writer(matched)
    if not by_writer:
        return []
    sources = [own.sources for own in by_writer.values()]
    index, questions = without_gaps(np.concatenate(sources))
    sums, totals, start = np.zeros((questions, 3 * len(by_writer))), np.zeros(3 * len(by_writer)), 0
    for k, (writer, own) in enumerate(by_writer.items()):
        cells, columns = _weighed(writer, own), slice(3 * k, 3 * k + 3)
        totals[columns] = cells.sum(axis=0)
        sums[:, columns] = sums_at(cells, index[start : start + len(own)], questions)
        start += len(own)
    means, interval = _means(totals), bootstrap(sums, _means)
    row: Row = {"writers": len(by_writer), "n": len(index)}
    for k, name in enumerate(("self", "cross", "gap")):
        row |= {name: float(means[k])} | _ends(interval, k, f"{name}_")
    return [row]


def _is_of(name: PerturbationClass) -> Callable[[Ballot], bool]:
    return lambda kind: kind.perturbation is name


def _by_writer(judged: Judged) -> dict[str, Judged]:
    """Return the items of each writer that it judged itself, beside others."""
    own = judged.where(lambda kind: kind.writer in kind.cast and len(kind.cast) > 1)
    return {writer: own.of_writer(writer) for writer in own.items.writers}


def _gap(writer: str, own: Judged) -> Row:
    cells = _weighed(writer, own)
    self_rate, cross_rate, gap = map(float, _means(cells.sum(axis=0)))
    interval = bootstrap(cluster_sums(cells, own.sources), _means)
    called = "neutral" if abs(gap) <= NEUTRAL else "favours itself" if gap > 0 else "stricter with itself"
    values: Row = {"n": len(own), "self": self_rate, "cross": cross_rate, "gap": gap}
    return values | _ends(interval, 2, "ci_") | {"reading": called}


def _ends(interval: Interval, k: int, prefix: str) -> Row:
    return {f"{prefix}low": float(interval.low[k]), f"{prefix}high": float(interval.high[k])}


def _weighed(writer: str, own: Judged) -> Floats:
    """Return of each item of a writer what it said itself and the mean of the others, weighed, and its weight."""
    cells = np.ones((len(own), 3))
    cells[:, 0] = own.items.each(lambda kind: kind.cast.get(writer, False), float)
    cells[:, 1] = own.items.each(lambda kind: _others(kind, writer), float)
    cells *= own.weights[:, None]
    return cells


def _others(kind: Ballot, writer: str) -> float:
    others = [passed for name, passed in kind.cast.items() if name != writer]
    return sum(others) / len(others) if others else 0.0


def _means(totals: Floats) -> Floats:
    """Return self rate, cross rate and gap, the means over writers, of sums of three columns a writer."""
    with np.errstate(invalid="ignore"):  # no item of a writer in a resample: undefined, and left out
        self_rate = (totals[..., 0::3] / totals[..., 2::3]).mean(axis=-1)
        cross_rate = (totals[..., 1::3] / totals[..., 2::3]).mean(axis=-1)
    means: Floats = np.stack([self_rate, cross_rate, self_rate - cross_rate], axis=-1)
    return means
