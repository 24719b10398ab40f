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
    for item in sorted(items, key=_order):
        by_writer[item.writer].append(item)
    drawn: list[Generated] = []
    for writer, written in by_writer.items():
        rng = random.Random(f"{seed}|{writer}")
        drawn += _drawn(
            written,
            per_stratum,
            per_generator,
            rng,
        )
    return sorted(drawn, key=_order)


def _drawn(
    items: Sequence[Generated],
    per_stratum: int | None,
    total: int | None,
    rng: random.Random,
) -> list[Generated]:
    strata: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        strata[f"{item.slot.perturbation}|{item.slot.intensity}"].append(item)
    first = []
    rest: list[Generated] = []
    for name in sorted(strata):
        mixed = rng.sample(strata[name], len(strata[name]))
        chosen = mixed[:per_stratum]
        first.append(chosen)
        rest += mixed[len(chosen) :]
    # strata take turns, so that a total below per_stratum x strata is as balanced as it
    # can be
    turns = take_turns(first)
    if total is None:
        return turns
    missing = max(0, total - len(turns))
    return turns[:total] + rng.sample(rest, min(missing, len(rest)))


def _order(item: Generated) -> tuple[object, ...]:
    digest = int(item.candidate.digest, 16) if item.candidate else -1
    slot = item.slot
    return item.writer, slot.perturbation, slot.intensity, slot.sample_id, digest
