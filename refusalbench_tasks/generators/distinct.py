"""Which accepted items are left: no repeats, no conflicts, nothing unchanged, no near-duplicates with two labels."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.kit.answers import word_key, words_of
from refusalbench_tasks.taxonomy import Label

GRAM = 5
NEAR = 0.5
"""The Jaccard similarity of two items' changes from which on they are near-duplicates (ours).

Of two bundled rows with different labels none reaches 0.33; one word more or less in a changed sentence of twelve words
leaves 0.5 and more.
"""
Grams = frozenset[tuple[int, tuple[str, ...]]]


@dataclass(frozen=True)
class NearPair:
    """Two items whose changes are nearly the same although their labels differ, and how similar these are."""

    one: Generated
    other: Generated
    similarity: float


@dataclass(frozen=True)
class DistinctItems:
    """Items whose input occurs once, and how many were dropped.

    Repeats of an input, inputs with two labels, items that are to be refused although no word of their original
    changed, and near-duplicates with two labels (each two that are one).
    """

    items: list[Generated]
    repeats: int = 0
    conflicts: int = 0
    unchanged: int = 0
    near: tuple[NearPair, ...] = ()

    @property
    def near_items(self) -> int:
        """Return how many items were dropped as near-duplicates."""
        return len({id(item) for pair in self.near for item in (pair.one, pair.other)})


def item_key(item: Generated) -> str:
    """Return what two items share that read alike: the words of question and passages."""
    assert item.candidate is not None
    return word_key(item.candidate.query, *item.candidate.passages)


def distinct_items(items: Sequence[Generated]) -> DistinctItems:
    """Return the items without repeats of one input, and without each input that has more than one label.

    Near-duplicates with different labels go, both of them.
    """
    same: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        same[item_key(item)].append(item)
    kept: list[tuple[Generated, Grams]] = []
    repeats = conflicts = unchanged = 0
    for group in same.values():
        first, grams = group[0], changed_grams(group[0])
        if len({one.slot.expected for one in group}) > 1:
            conflicts += len(group)
        elif first.slot.expected is not Label.ANSWER and not grams:
            unchanged += len(group)
        else:
            kept.append((first, grams))
            repeats += len(group) - 1
    near = near_duplicates(kept)
    dropped = {id(item) for pair in near for item in (pair.one, pair.other)}
    left = [item for item, _ in kept if id(item) not in dropped]
    return DistinctItems(left, repeats, conflicts, unchanged, tuple(near))


def changed_grams(item: Generated) -> Grams:
    """Return the word 5-grams that an item adds to its original (1) and those that it takes away (0)."""
    assert item.candidate is not None
    base = item.slot.base
    pairs = [(base.query, item.candidate.query), *zip(base.passages, item.candidate.passages, strict=True)]
    sides: tuple[set[tuple[str, ...]], set[tuple[str, ...]]] = (set(), set())
    for texts in pairs:
        if texts[0] != texts[1]:
            for side, text in zip(sides, texts, strict=True):
                words = words_of(text)
                side.update(words[at : at + GRAM] for at in range(max(1, len(words) - GRAM + 1)))
    gone, new = sides
    return frozenset((1, gram) for gram in new - gone) | frozenset((0, gram) for gram in gone - new)


def near_duplicates(items: Sequence[tuple[Generated, Grams]], near: float = NEAR) -> list[NearPair]:
    """Return each two items of one base question whose changes are nearly the same and whose labels differ.

    Items of one base share most of their text, so that whole texts are alike by nature. What is compared is what an
    item changed.
    """
    of_base: dict[str, list[tuple[Generated, Grams]]] = defaultdict(list)
    for item, grams in items:
        of_base[item.slot.base.source_id].append((item, grams))
    pairs = (pair for own in of_base.values() for pair in combinations(own, 2))
    unlike = ((a, b) for a, b in pairs if a[0].slot.expected is not b[0].slot.expected and (a[1] or b[1]))
    found = [NearPair(one, other, len(a & b) / len(a | b)) for (one, a), (other, b) in unlike]
    return [pair for pair in found if pair.similarity >= near]
