"""Pass rates of written items by group and writer, and rankings over all pairs: the paper's figures 4, 15 and 16."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.generators.judged import Judged, Row, broken_share, pass_rate, rate_of

Group = Callable[[Counted], str]


def by_group(items: Sequence[Counted], matched: Sequence[Judged], group: Group) -> list[Row]:
    """Return, by group and writer, pass rates over n matched items, and what became of slots and candidates.

    `broken` is the share of the written first attempts that a rule rejected. `accepted` is accepted / decided
    candidates, every attempt counted; `yield` accepted / all slots, however often one was asked for.
    """
    groups: dict[tuple[str, str], list[Counted]] = defaultdict(list)
    for item in items:
        groups[group(item), item.writer].append(item)
    voted: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in matched:
        voted[group(one.item), one.item.writer].append(one)
    rows: list[Row] = [
        {"group": name, "writer": writer, **_of_group(own, voted[name, writer])}
        for (name, writer), own in groups.items()
    ]
    return sorted(rows, key=lambda row: (str(row["group"]), *_best_first(row), str(row["writer"])))


def _of_group(own: Sequence[Counted], judged: Sequence[Judged]) -> Row:
    decided = [item.accepted for item in own if item.accepted is not None]
    slots = {item.slot_id for item in own}
    done = {item.slot_id for item in own if item.accepted}
    rate = rate_of([(passed, one.weight) for one in judged for passed in one.votes.values()])
    row: Row = {"n": len(judged), "pass_rate": rate}
    return row | broken_share(own) | {
        "slots": len(slots),
        "candidates": len(own),
        "decided": len(decided),
        "accepted": rate_of([(accepted, 1.0) for accepted in decided]),
        "yield": len(done) / len(slots),
    }  # fmt: skip


def ranking(items: Sequence[Counted], matched: Sequence[Judged], name: str, group: Group) -> list[Row]:
    """Return each group's pass rate over all pairs of writer and verifier, highest first, unknown ones last.

    The shares of written items that a rule rejected stand beside them: nobody votes on these, so they lower no rate.
    """
    groups = sorted({group(item) for item in items})
    rows = [
        {name: one}
        | pass_rate([each for each in matched if group(each.item) == one])
        | broken_share([item for item in items if group(item) == one])
        for one in groups
    ]
    ranked = sorted(rows, key=lambda row: (_unknown_last(float(row["pass_rate"])), str(row[name])))
    return [{"rank": place} | row for place, row in enumerate(ranked, 1)]


def _best_first(row: Row) -> tuple[float, float]:
    return _unknown_last(float(row["pass_rate"])), _unknown_last(float(row["accepted"]))


def _unknown_last(rate: float) -> float:
    return 1.0 if math.isnan(rate) else -rate
