"""Candidates that a whole panel judged, and the set of them that is matched over writers."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.stats.cluster import bounded_bootstrap, cluster_sums

Row = dict[str, str | float | int]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with the votes of its whole panel, and how many like it it stands for."""

    item: Counted
    weight: float

    @property
    def votes(self) -> Mapping[str, bool]:
        """Return what each verifier said."""
        return _cast(tuple((vote.verifier, vote.passed) for vote in self.item.votes))


@lru_cache(maxsize=4096)
def _cast(votes: tuple[tuple[str, bool | None], ...]) -> Mapping[str, bool]:
    # the same few combinations again and again, and tables ask for each many times
    return MappingProxyType({verifier: passed for verifier, passed in votes if passed is not None})


def is_judged(item: Counted) -> bool:
    """Whether a first attempt has every vote of a panel that was to vote whatever the outcome."""
    complete = bool(item.votes) and all(vote.passed is not None for vote in item.votes)
    return item.attempt == 1 and item.panel_share > 0 and complete


def matched(items: Sequence[Counted], writers: Collection[str]) -> list[Judged]:
    """Return the judged items of the slots that are judged for every writer (paper §4.2), weighed by 1 / share."""
    full = {(item.writer, item.slot_id): item for item in items}
    found: list[Judged] = []
    for slot in sorted({slot for _, slot in full}):
        own = [full[writer, slot] for writer in sorted(writers) if (writer, slot) in full]
        if len(own) == len(writers):
            # smaller shares lie within larger ones, so that the smallest is the chance of being drawn for all
            found += [Judged(item, 1 / min(one.panel_share for one in own)) for item in own]
    return found


def rate_of(values: Sequence[tuple[bool, float]]) -> float:
    """Return the weighed share of what is true; NaN without any."""
    total = sum(weight for _, weight in values)
    return sum(weight for value, weight in values if value) / total if total else float("nan")


def pass_rate(judged: Sequence[Judged]) -> Row:
    """Return the pass rate over all pairs of writer and verifier: passed votes / votes, n candidates, 95 % interval.

    The pairs of a matched set have equally many candidates, so that this is also the mean over the pairs. Whole base
    questions are resampled.
    """
    if not judged:
        return {"n": 0, "pass_rate": math.nan, "ci_low": math.nan, "ci_high": math.nan}
    cells = np.empty((len(judged), 2))
    for cell, one in zip(cells, judged, strict=True):
        cell[:] = one.weight * sum(one.votes.values()), one.weight * len(one.votes)
    sums = cluster_sums(cells, [one.item.source_id for one in judged])
    interval = bounded_bootstrap(sums, lambda total: (total[..., 0] / total[..., 1])[..., None])
    return {
        "n": len(judged),
        "pass_rate": float(cells[:, 0].sum() / cells[:, 1].sum()),
        "ci_low": float(interval.low[0]),
        "ci_high": float(interval.high[0]),
    }


def broken_share(items: Sequence[Counted]) -> Row:
    """Return which shares of the written first attempts nobody voted on, and their n.

    `broken` are those that a rule rejected, `gated` those that a blind reading did. They lower no pass rate.
    """
    written = [item for item in items if item.attempt == 1 and item.written]
    gated = [item.accepted is False and not item.broken and not item.votes for item in written]
    return {
        "broken": rate_of([(bool(item.broken), 1.0) for item in written]),
        "gated": rate_of([(one, 1.0) for one in gated]),
        "written": len(written),
    }
