"""Pass rates of written items by group and writer, and rankings over all pairs: the paper's figures 4, 15 and 16."""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.generators.ballots import Ballot, Ballots
from refusalbench_tasks.generators.judged import Judged, Row, broken_of, pass_rate

Group = Callable[[Ballot], str]


def by_group(items: Ballots, matched: Judged, group: Group) -> list[Row]:
    """Return, by group and writer, pass rates over n matched items, and what became of slots and candidates.

    `broken` is the share of the written first attempts that a rule rejected. `accepted` is accepted / decided
    candidates, every attempt counted; `yield` accepted / all slots, however often one was asked for.
    """
    names = sorted({(group(kind), kind.writer) for kind in items.kinds})
    number = {name: place for place, name in enumerate(names)}

    def of_kind(kind: Ballot) -> int:
        return number[group(kind), kind.writer]

    own = _split(items.each(of_kind, np.int32), len(names))
    voted = _split(matched.items.each(of_kind, np.int32), len(names))
    rows: list[Row] = [
        {"group": name, "writer": writer, **_of_group(items.at(places), matched.at(judged))}
        for (name, writer), places, judged in zip(names, own, voted, strict=True)
    ]
    return sorted(rows, key=lambda row: (str(row["group"]), *_best_first(row), str(row["writer"])))


def _split(groups: NDArray[np.int32], number: int) -> Iterator[NDArray[np.intp]]:
    """Yield the places of each group, in order."""
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups, np.arange(number + 1), sorter=order).tolist()
    return (order[start:end] for start, end in pairwise(ends))


def _of_group(own: Ballots, judged: Judged) -> Row:
    kinds = list(own.numbers())
    decided = sum(n for kind, n in kinds if kind.accepted is not None)
    accepted = sum(n for kind, n in kinds if kind.accepted)
    slots = _different(own)
    row: Row = {"n": len(judged), "pass_rate": judged.rate()}
    return row | broken_of(kinds) | {
        "slots": slots,
        "candidates": len(own),
        "decided": decided,
        "accepted": accepted / decided if decided else math.nan,
        "yield": _different(own.where(lambda kind: kind.accepted)) / slots,
    }  # fmt: skip


def _different(items: Ballots) -> int:
    return len(np.unique(items.slots))


def ranking(items: Ballots, matched: Judged, name: str, group: Group) -> list[Row]:
    """Return each group's pass rate over all pairs of writer and verifier, highest first, unknown ones last.

    The shares of written items that a rule rejected stand beside them: nobody votes on these, so they lower no rate.
    """
    names = sorted({group(kind) for kind in items.kinds})
    number = {one: place for place, one in enumerate(names)}
    voted = _split(matched.items.each(lambda kind: number[group(kind)], np.int32), len(names))
    rows = [
        {name: one}
        | pass_rate(matched.at(places))
        | broken_of((kind, n) for kind, n in items.numbers() if group(kind) == one)
        for one, places in zip(names, voted, strict=True)
    ]
    ranked = sorted(rows, key=lambda row: (_unknown_last(float(row["pass_rate"])), str(row[name])))
    return [{"rank": place} | row for place, row in enumerate(ranked, 1)]


def _best_first(row: Row) -> tuple[float, float]:
    return _unknown_last(float(row["pass_rate"])), _unknown_last(float(row["accepted"]))


def _unknown_last(rate: float) -> float:
    return 1.0 if math.isnan(rate) else -rate
