"""Which of the distinct items make up a data set: balanced strata."""

import random
from collections import defaultdict
from collections.abc import Sequence

from refusalbench_tasks.datasets.draw import take_turns
from refusalbench_tasks.generators.generation_logs import Generated


def balanced(
    items: Sequence[Generated],
    per_stratum: int | None = 22,
    per_generator: int | None = 400,
    seed: int = 42,
) -> list[Generated]:
    """Return a seeded draw: per generator up to `per_stratum` of each class x
    intensity, then filler up to the total.

    The released sampler, with its 22 and 400. None draws everything. Sorted by
    generator, class, intensity and id.
    """
    by_writer: dict[str, list[Generated]] = defaultdict(list)
    for item in _sorted(items):
        by_writer[item.writer].append(item)
    drawn = [
        one
        for name, own in sorted(by_writer.items())
        for one in _drawn(
            own, per_stratum, per_generator, random.Random(f"{seed}|{name}")
        )
    ]
    return _sorted(drawn)


def _drawn(
    items: Sequence[Generated],
    per_stratum: int | None,
    total: int | None,
    rng: random.Random,
) -> list[Generated]:
    strata: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        strata[f"{item.slot.perturbation}|{item.slot.intensity}"].append(item)
    mixed = [rng.sample(strata[name], len(strata[name])) for name in sorted(strata)]
    # strata take turns, so that a total below per_stratum x strata is as balanced as it
    # can be
    turns = take_turns([own[:per_stratum] for own in mixed])
    rest = [item for own in mixed for item in own[len(own[:per_stratum]) :]]
    if total is None:
        return turns
    return turns[:total] + rng.sample(rest, max(0, min(total - len(turns), len(rest))))


def _sorted(items: Sequence[Generated]) -> list[Generated]:
    """Return items by generator, class, intensity, id and text."""

    def key(item: Generated) -> tuple[object, ...]:
        digest = int(item.candidate.digest, 16) if item.candidate else -1
        return (
            item.writer,
            item.slot.perturbation,
            item.slot.intensity,
            item.slot.sample_id,
            digest,
        )

    return sorted(items, key=key)
