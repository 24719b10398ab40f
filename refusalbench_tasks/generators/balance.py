"""Which accepted items make up a data set: no duplicates, no conflicts, balanced strata."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.generators.generation_logs import Generated


@dataclass(frozen=True)
class Distinct:
    """Items whose input occurs once, and how many were dropped: repeats of an input, and inputs with two labels."""

    items: list[Generated]
    repeats: int
    conflicts: int


def distinct_items(items: Sequence[Generated]) -> Distinct:
    """Return the items without repeats of one input, and without every input that has more than one label."""
    groups: dict[object, list[Generated]] = defaultdict(list)
    for item in items:
        groups[item.key].append(item)
    kept: list[Generated] = []
    repeats = conflicts = 0
    for group in groups.values():
        if len({item.slot.expected for item in group}) > 1:
            conflicts += len(group)
            continue
        kept.append(group[0])
        repeats += len(group) - 1
    return Distinct(kept, repeats, conflicts)


def balanced(
    items: Sequence[Generated], per_stratum: int | None = 22, per_generator: int | None = 400, seed: int = 42
) -> list[Generated]:
    """Return a seeded draw: per generator up to `per_stratum` of each class x intensity, then filler up to the total.

    (Released sampler: 22 and 400.) None draws everything. Sorted by generator, class, intensity and id.
    """
    by_writer: dict[str, list[Generated]] = defaultdict(list)
    for item in sorted(items, key=_order):
        by_writer[item.writer].append(item)
    drawn: list[Generated] = []
    for writer in sorted(by_writer):
        drawn += _of_writer(by_writer[writer], per_stratum, per_generator, random.Random(f"{seed}|{writer}"))
    return sorted(drawn, key=_order)


def _of_writer(
    items: Sequence[Generated], per_stratum: int | None, total: int | None, rng: random.Random
) -> list[Generated]:
    strata: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        strata[f"{item.slot.perturbation}|{item.slot.intensity}"].append(item)
    mixed = [rng.sample(strata[name], len(strata[name])) for name in sorted(strata)]
    # strata take turns, so that a total below per_stratum x strata is as balanced as it can be
    turns = take_turns([own[:per_stratum] for own in mixed])
    rest = [item for own in mixed for item in own[len(own[:per_stratum]) :]]
    if total is None:
        return turns
    return turns[:total] + rng.sample(rest, max(0, min(total - len(turns), len(rest))))


def _order(item: Generated) -> tuple[str, ...]:
    slot = item.slot
    digest = item.candidate.digest if item.candidate else ""
    return item.writer, slot.perturbation.value, slot.intensity.value, slot.sample_id, digest
