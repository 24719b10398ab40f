"""Which of the distinct items make up a data set: balanced strata, levers and bases."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence

from refusalbench_tasks.datasets.draw import take_turns
from refusalbench_tasks.generators.generation_logs import Generated

Strata = list[list[Generated]]


class _Use:
    """How often levers and base questions were drawn."""

    def __init__(self) -> None:
        self.levers: Counter[str] = Counter()
        self.bases: Counter[str] = Counter()

    def take(self, pool: list[Generated]) -> Generated:
        """Take out the item whose lever, and then whose base question, was drawn least; the first of equals."""
        at = min(
            range(len(pool)), key=lambda k: (self.levers[_lever(pool[k])], self.bases[pool[k].slot.base.source_id], k)
        )
        item = pool.pop(at)
        self.levers[_lever(item)] += 1
        self.bases[item.slot.base.source_id] += 1
        return item


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
    for item in _sorted(items):
        by_writer[item.writer].append(item)
    drawn: list[Generated] = []
    for writer in sorted(by_writer):
        draw = _by_chance if paper else _evenly
        drawn += draw(by_writer[writer], per_stratum, per_generator, random.Random(f"{seed}|{writer}"))
    return _sorted(drawn)


def _mixed(items: Sequence[Generated], rng: random.Random) -> Strata:
    strata: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        strata[f"{item.slot.perturbation}|{item.slot.intensity}"].append(item)
    return [rng.sample(strata[name], len(strata[name])) for name in sorted(strata)]


def _by_chance(
    items: Sequence[Generated], per_stratum: int | None, total: int | None, rng: random.Random
) -> list[Generated]:
    mixed = _mixed(items, rng)
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
    pools, drawn, use = _mixed(items, rng), list[Generated](), _Use()
    for _ in range(per_stratum or len(items)):
        for pool in pools:
            if pool and len(drawn) < most:
                drawn.append(use.take(pool))
    rest = [item for pool in pools for item in pool]
    while total is not None and rest and len(drawn) < most:
        drawn.append(use.take(rest))
    return drawn


def _lever(item: Generated) -> str:
    return item.candidate.lever.casefold() if item.candidate else ""


def _sorted(items: Sequence[Generated]) -> list[Generated]:
    """Return items by generator, class, intensity, id and text."""

    def key(item: Generated) -> tuple[object, ...]:
        digest = int(item.candidate.digest, 16) if item.candidate else -1
        return item.writer, item.slot.perturbation, item.slot.intensity, item.slot.sample_id, digest

    return sorted(items, key=key)
