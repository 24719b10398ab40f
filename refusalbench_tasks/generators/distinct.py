"""Which accepted items are left: no repeats, no conflicts, nothing unchanged, no
near-duplicates with two labels; and which of these make up a data set.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refusalbench_tasks.corpus.words import word_runs
from refusalbench_tasks.datasets.draw import grouped, take_turns
from refusalbench_tasks.taxonomy import Label

from .generation_logs import Generated
from .kit.answers import word_key, words_of

Items = list[Generated]

GRAM = 5
NEAR = 0.5
"""The Jaccard similarity of two items' changes from which on they are near-duplicates
(ours).

Of two bundled rows with different labels none reaches 0.33; one word more or less in a
changed sentence of twelve words leaves 0.5 and more.
"""
Grams = frozenset[tuple[int, tuple[str, ...]]]


@dataclass(frozen=True)
class DistinctItems:
    """Items whose input occurs once, and how many were dropped.

    Repeats of an input, inputs with two labels, items that are to be refused although
    no word of their original changed, and near-duplicates with two labels (both of
    them).
    """

    items: Items
    repeats: int = 0
    conflicts: int = 0
    unchanged: int = 0
    near: int = 0


def item_key(item: Generated) -> str:
    """Return what two items share that read alike: the words of
    question and passages.
    """
    assert item.candidate is not None
    return word_key(item.candidate.query, *item.candidate.passages)


def distinct_items(items: Sequence[Generated]) -> DistinctItems:
    """Return the items without repeats of one input, and without each input that has
    more than one label.

    Near-duplicates with different labels go, both of them.
    """
    kept = []
    repeats = conflicts = unchanged = 0
    for group in grouped(items, item_key).values():
        first = group[0]
        grams = changed_grams(first)
        labels = {item.slot.expected for item in group}
        n = len(group)
        if len(labels) > 1:
            conflicts += n
        elif not grams and labels != {Label.ANSWER}:
            unchanged += n
        else:
            kept.append((first, grams))
            repeats += n - 1
    # items of one base share most of their text by nature: their changes are compared
    of_base = grouped(kept, lambda changed: changed[0].slot.base.source_id)
    near = set()
    for siblings in of_base.values():
        for (item, changed), (other, others) in combinations(siblings, 2):
            if item.slot.expected is other.slot.expected:
                continue
            if len(changed & others) >= NEAR * len(changed | others) > 0:
                near |= {id(item), id(other)}
    left = [item for item, _ in kept if id(item) not in near]
    return DistinctItems(
        left,
        repeats,
        conflicts,
        unchanged,
        len(near),
    )


def changed_grams(item: Generated) -> Grams:
    """Return the word 5-grams that an item adds to its original (1) and those that it
    takes away (0).
    """
    assert item.candidate is not None
    base = item.slot.base
    old = (base.query, *base.passages)
    new = (item.candidate.query, *item.candidate.passages)
    gone: set[tuple[str, ...]] = set()
    added: set[tuple[str, ...]] = set()
    for before, after in zip(old, new, strict=True):
        if before != after:
            gone |= word_runs(words_of(before), GRAM)
            added |= word_runs(words_of(after), GRAM)
    taken = {(0, gram) for gram in gone - added}
    return frozenset(taken.union((1, gram) for gram in added - gone))


def balanced(
    items: Sequence[Generated],
    per_stratum: int | None,
    per_generator: int | None,
    seed: int = 42,
) -> Items:
    """Return a seeded draw: per generator up to `per_stratum` of each class x
    intensity, then filler up to the total.

    The released sampler, with its 22 and 400. None draws everything. Sorted by
    generator, class, intensity and id.
    """
    by_writer = grouped(sorted(items, key=_order), lambda item: item.writer)
    drawn = []
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
) -> Items:
    strata = grouped(
        items, lambda item: f"{item.slot.perturbation}|{item.slot.intensity}"
    )
    first = []
    rest = []
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
