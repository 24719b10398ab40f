"""Candidates that a whole panel judged, and the set of them that is matched over writers."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.generators.ballots import Ballot, Ballots, ballot_of
from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, Mask, bounded_bootstrap, cluster_sums

Row = dict[str, str | float | int]
_PART = 1 << 16
"""So many numbers are made into objects at once."""


@dataclass(frozen=True)
class Judged:
    """Candidates with the votes of their whole panels, and how many like it each stands for."""

    items: Ballots
    weights: Floats

    def __len__(self) -> int:
        return len(self.items)

    def at(self, places: NDArray[np.intp] | Mask) -> "Judged":
        """Return those at places, or those of a mask."""
        return Judged(self.items.at(places), self.weights[places])

    def where(self, chosen: Callable[[Ballot], object]) -> "Judged":
        """Return those of whose kind something is true."""
        return self.at(self.items.each(lambda kind: bool(chosen(kind)), bool))

    @property
    def sources(self) -> ClusterIndex:
        """Return the place of each one's base question in the order of their names."""
        return self.items.sources.astype(np.intp)

    def of_writer(self, writer: str) -> "Judged":
        """Return those of a writer."""
        return self.where(lambda kind: kind.writer == writer)

    def rate(self) -> float:
        """Return the weighed share of all their votes that are passed; NaN without any."""
        votes = [list(kind.cast.values()) for kind in self.items.kinds]
        numbers = np.fromiter(map(len, votes), np.intp, len(votes))
        every = np.fromiter(chain.from_iterable(votes), bool, int(numbers.sum()))
        own, starts = numbers[self.items.which], (np.cumsum(numbers) - numbers)[self.items.which]
        # the place of each vote among those of its candidate, from 0
        within = np.arange(int(own.sum()), dtype=np.intp) - np.repeat(np.cumsum(own) - own, own)
        return rate_of(every[np.repeat(starts, own) + within], np.repeat(self.weights, own))


def judged(items: Ballots) -> Judged:
    """Return the candidates that are judged, each weighed by 1 / the probability of being drawn."""
    found = items.where(lambda kind: kind.judged)
    return Judged(found, 1 / found.each(lambda kind: kind.panel_share, float))


def matched(items: Judged, writers: Sequence[str]) -> Judged:
    """Return the judged items of the slots that are judged for every writer (paper §4.2), weighed by 1 / share."""
    number = {writer: place for place, writer in enumerate(sorted(writers))}
    keys = items.items.slots.astype(np.int64) * len(number) + items.items.each(lambda kind: number[kind.writer], int)
    # of two by one writer for one slot the later one counts
    keys, places = np.unique(keys[::-1], return_index=True)
    slots = keys // max(1, len(number))
    _, numbers = np.unique(slots, return_counts=True)
    chosen = (len(items) - 1 - places)[np.repeat(numbers, numbers) == len(number)]
    found = items.items.at(chosen)
    shares = found.each(lambda kind: kind.panel_share, float).reshape(-1, max(1, len(number)))
    # smaller shares lie within larger ones, so that the smallest is the chance of being drawn for all
    return Judged(found, 1 / np.repeat(shares.min(axis=1), shares.shape[1]))


def rate_of(true: Mask, weights: Floats) -> float:
    """Return the weighed share of what is true; NaN without any."""
    total = _added(weights)
    return _added(weights[true]) / total if total else float("nan")


def _added(weights: Floats) -> float:
    # one after the other: the last digit would depend on the order, and on how many are added at once
    parts: Iterator[list[float]] = (weights[start : start + _PART].tolist() for start in range(0, len(weights), _PART))
    return sum(chain.from_iterable(parts))


def pass_rate(found: Judged) -> Row:
    """Return the pass rate over all pairs of writer and verifier: passed votes / votes, n candidates, 95 % interval.

    The pairs of a matched set have equally many candidates, so that this is also the mean over the pairs. Whole base
    questions are resampled.
    """
    if not len(found):
        return {"n": 0, "pass_rate": math.nan, "ci_low": math.nan, "ci_high": math.nan}
    cells = np.empty((len(found), 2))
    cells[:, 0] = found.weights * found.items.each(lambda kind: sum(kind.cast.values()), float)
    cells[:, 1] = found.weights * found.items.each(lambda kind: len(kind.cast), float)
    sums = cluster_sums(cells, found.sources)
    interval = bounded_bootstrap(sums, lambda total: (total[..., 0] / total[..., 1])[..., None])
    return {
        "n": len(found),
        "pass_rate": float(cells[:, 0].sum() / cells[:, 1].sum()),
        "ci_low": float(interval.low[0]),
        "ci_high": float(interval.high[0]),
    }


def broken_share(items: Iterable[Counted]) -> Row:
    """Return which shares of the written first attempts nobody voted on, and their n.

    `broken` are those that a rule rejected, `gated` those that a blind reading did. They lower no pass rate.
    """
    return broken_of((ballot_of(item), 1) for item in items)


def broken_of(kinds: Iterable[tuple[Ballot, int]]) -> Row:
    """Return `broken_share` of candidates, given their kinds and how many are of each."""
    broken = gated = written = 0
    for kind, n in kinds:
        if kind.first and kind.written:
            broken, gated, written = broken + n * kind.broken, gated + n * kind.gated, written + n
    over = written or math.nan
    return {"broken": broken / over, "gated": gated / over, "written": written}
