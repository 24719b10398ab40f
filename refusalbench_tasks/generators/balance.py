"""Which accepted items make up a data set: no duplicates, no conflicts, balanced strata, levers and bases."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.near_duplicates import Near, changed_grams, near_duplicates, words_of
from refusalbench_tasks.taxonomy import Label


@dataclass(frozen=True)
class Distinct:
    """Items whose input occurs once, and how many were dropped.

    Repeats of an input, inputs with two labels, items that are to be refused although no word of their original
    changed, and near-duplicates with two labels (each two that are one).
    """

    items: list[Generated]
    repeats: int
    conflicts: int
    unchanged: int = 0
    near: tuple[Near, ...] = ()

    @property
    def near_items(self) -> int:
        """Return how many items were dropped as near-duplicates."""
        return len({id(item) for pair in self.near for item in (pair.one, pair.other)})


def distinct_items(items: Sequence[Generated]) -> Distinct:
    """Return the items without repeats of one input, and without each input that has more than one label.

    Inputs are one if they have the same words. Near-duplicates with different labels go, both of them.
    """
    groups: dict[object, list[Generated]] = defaultdict(list)
    for item in items:
        query, passages = item.key
        groups[tuple(tuple(words_of(text)) for text in (query, *passages))].append(item)
    kept: list[Generated] = []
    repeats = conflicts = unchanged = 0
    for group in groups.values():
        if len({item.slot.expected for item in group}) > 1:
            conflicts += len(group)
        elif group[0].slot.expected != Label.ANSWER and not changed_grams(group[0]):
            unchanged += len(group)
        else:
            kept.append(group[0])
            repeats += len(group) - 1
    near = near_duplicates(kept)
    dropped = {id(item) for pair in near for item in (pair.one, pair.other)}
    return Distinct([item for item in kept if id(item) not in dropped], repeats, conflicts, unchanged, tuple(near))


def balanced(
    items: Sequence[Generated],
    per_stratum: int | None = 22,
    per_generator: int | None = 400,
    seed: int = 42,
    paper: bool = False,
) -> list[Generated]:
    """Return a seeded draw: per generator up to `per_stratum` of each class x intensity, then filler up to the total.

    (Released sampler: 22 and 400.) Inside a stratum the lever that was drawn least comes first, then the base question
    that was drawn least; with `paper` chance alone decides, as released. None draws everything. Sorted by generator,
    class, intensity and id.
    """
    by_writer: dict[str, list[Generated]] = defaultdict(list)
    for item in sorted(items, key=_order):
        by_writer[item.writer].append(item)
    drawn: list[Generated] = []
    for writer in sorted(by_writer):
        draw = _by_chance if paper else _evenly
        drawn += draw(by_writer[writer], per_stratum, per_generator, random.Random(f"{seed}|{writer}"))
    return sorted(drawn, key=_order)


def _mixed_strata(items: Sequence[Generated], rng: random.Random) -> list[list[Generated]]:
    strata: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        strata[f"{item.slot.perturbation}|{item.slot.intensity}"].append(item)
    return [rng.sample(strata[name], len(strata[name])) for name in sorted(strata)]


def _by_chance(
    items: Sequence[Generated], per_stratum: int | None, total: int | None, rng: random.Random
) -> list[Generated]:
    mixed = _mixed_strata(items, rng)
    # strata take turns, so that a total below per_stratum x strata is as balanced as it can be
    turns = take_turns([own[:per_stratum] for own in mixed])
    rest = [item for own in mixed for item in own[len(own[:per_stratum]) :]]
    if total is None:
        return turns
    return turns[:total] + rng.sample(rest, max(0, min(total - len(turns), len(rest))))


def _evenly(
    items: Sequence[Generated], per_stratum: int | None, total: int | None, rng: random.Random
) -> list[Generated]:
    most = len(items) if total is None else total
    if per_stratum is None and most >= len(items):
        return list(items)
    pools, drawn, used = _mixed_strata(items, rng), list[Generated](), Counter[tuple[str, str]]()
    for _ in range(max(map(len, pools)) if per_stratum is None else per_stratum):
        for pool in pools:
            if pool and len(drawn) < most:
                drawn.append(_least_used(pool, used))
    rest = [item for pool in pools for item in pool]
    while total is not None and rest and len(drawn) < most:
        drawn.append(_least_used(rest, used))
    return drawn


def _least_used(pool: list[Generated], used: Counter[tuple[str, str]]) -> Generated:
    """Take the item out of a pool whose lever, and then whose base, was drawn least; the first of equals."""

    def names(item: Generated) -> tuple[tuple[str, str], tuple[str, str]]:
        assert item.candidate is not None
        return ("lever", item.candidate.lever.casefold()), ("base", item.slot.base.source_id)

    place = min(range(len(pool)), key=lambda k: tuple(used[name] for name in names(pool[k])))
    item = pool.pop(place)
    used.update(names(item))
    return item


def _order(item: Generated) -> tuple[str, ...]:
    slot = item.slot
    digest = item.candidate.digest if item.candidate else ""
    return item.writer, slot.perturbation.value, slot.intensity.value, slot.sample_id, digest
