"""Which accepted items make up a data set: no duplicates, no conflicts, balanced strata, levers and bases."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.generators.even_draw import EvenDraw, Use
from refusalbench_tasks.generators.grams import GramSets, Numbers
from refusalbench_tasks.generators.near_duplicates import Item, Near, near_duplicates
from refusalbench_tasks.taxonomy import Label

Inputs = Numbers


@dataclass(frozen=True)
class Distinct(Generic[Item]):
    """Items whose input occurs once, and how many were dropped.

    Repeats of an input, inputs with two labels, items that are to be refused although no word of their original
    changed, and near-duplicates with two labels (each two that are one).
    """

    items: list[Item]
    repeats: int
    conflicts: int
    unchanged: int = 0
    near: tuple[Near[Item], ...] = ()

    @property
    def near_items(self) -> int:
        """Return how many items were dropped as near-duplicates."""
        return len({id(item) for pair in self.near for item in (pair.one, pair.other)})


def distinct_items(items: Sequence[Item], inputs: Inputs, sets: GramSets) -> Distinct[Item]:
    """Return the items without repeats of one input, and without each input that has more than one label.

    `inputs` are two numbers for each item that depend on the words of its input, and `sets` what it changed. Inputs are
    one if they have the same words. Near-duplicates with different labels go, both of them.
    """
    if not items:
        return Distinct([], 0, 0)
    codes = {label: code for code, label in enumerate(Label)}
    labels = np.fromiter((codes[item.expected] for item in items), np.int64, len(items))
    order = np.lexsort((inputs[:, 1], inputs[:, 0]))  # stable, so that the first of a group is its first item
    begins = np.concatenate([[True], (inputs[order[1:]] != inputs[order[:-1]]).any(axis=1)])
    starts = np.flatnonzero(begins)
    first, members = order[starts], np.diff([*starts, len(items)])
    clash = np.minimum.reduceat(labels[order], starts) != np.maximum.reduceat(labels[order], starts)
    same = ~clash & (labels[first] != codes[Label.ANSWER]) & (sets.sizes[first] == 0)
    stay = ~clash & ~same
    places = np.sort(first[stay])
    kept = [items[k] for k in places.tolist()]
    near = near_duplicates(kept, sets.take(places))
    dropped = {id(item) for pair in near for item in (pair.one, pair.other)}
    left = [item for item in kept if id(item) not in dropped]
    repeats, conflicts, unchanged = (int(members[part].sum()) for part in (stay, clash, same))
    return Distinct(left, repeats - len(kept), conflicts, unchanged, tuple(near))


def balanced(
    items: Sequence[Item],
    per_stratum: int | None = 22,
    per_generator: int | None = 400,
    seed: int = 42,
    paper: bool = False,
) -> list[Item]:
    """Return a seeded draw: per generator up to `per_stratum` of each class x intensity, then filler up to the total.

    (Released sampler: 22 and 400.) Inside a stratum the lever that was drawn least comes first, then the base question
    that was drawn least; with `paper` chance alone decides, as released. None draws everything. Sorted by generator,
    class, intensity and id.
    """
    by_writer: dict[str, list[Item]] = defaultdict(list)
    for item in _sorted(items):
        by_writer[item.writer].append(item)
    drawn: list[Item] = []
    for writer in sorted(by_writer):
        draw = _by_chance if paper else _evenly
        drawn += draw(by_writer[writer], per_stratum, per_generator, random.Random(f"{seed}|{writer}"))
    return _sorted(drawn)


def _mixed_strata(items: Sequence[Item], rng: random.Random) -> list[list[Item]]:
    strata: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        strata[f"{item.perturbation}|{item.intensity}"].append(item)
    return [rng.sample(strata[name], len(strata[name])) for name in sorted(strata)]


def _by_chance(items: Sequence[Item], per_stratum: int | None, total: int | None, rng: random.Random) -> list[Item]:
    mixed = _mixed_strata(items, rng)
    # strata take turns, so that a total below per_stratum x strata is as balanced as it can be
    turns = take_turns([own[:per_stratum] for own in mixed])
    rest = [item for own in mixed for item in own[len(own[:per_stratum]) :]]
    if total is None:
        return turns
    return turns[:total] + rng.sample(rest, max(0, min(total - len(turns), len(rest))))


def _evenly(items: Sequence[Item], per_stratum: int | None, total: int | None, rng: random.Random) -> list[Item]:
    most = len(items) if total is None else total
    if per_stratum is None and most >= len(items):
        return list(items)
    strata, drawn, use = _mixed_strata(items, rng), list[Item](), Use()
    pools = [EvenDraw(own, use) for own in strata]
    for _ in range(max(map(len, strata)) if per_stratum is None else per_stratum):
        for pool in pools:
            if pool and len(drawn) < most:
                drawn.append(pool.take())
    rest = EvenDraw([item for pool in pools for item in pool.left()], use)
    while total is not None and rest and len(drawn) < most:
        drawn.append(rest.take())
    return drawn


def _sorted(items: Iterable[Item]) -> list[Item]:
    """Return items by generator, class, intensity, id and text."""
    # the keys of one cell at a time: those of a million items would take as much memory as the items
    cells: dict[tuple[str, str, str], list[Item]] = defaultdict(list)
    for item in items:
        # members of these enumerations are ordered as their texts
        cells[item.writer, item.perturbation, item.intensity].append(item)
    found: list[Item] = []
    for cell in sorted(cells):
        found += sorted(cells.pop(cell), key=lambda item: (item.sample_id, item.order_digest))
    return found
