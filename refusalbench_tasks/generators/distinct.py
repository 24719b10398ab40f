"""Which accepted items are left: no repeats, no conflicts, nothing unchanged, no
near-duplicates with two labels.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.kit.answers import word_key, words_of
from refusalbench_tasks.taxonomy import Label

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

    items: list[Generated]
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
    same: dict[str, list[Generated]] = defaultdict(list)
    for item in items:
        same[item_key(item)].append(item)
    kept: list[tuple[Generated, Grams]] = []
    repeats = conflicts = unchanged = 0
    for group in same.values():
        first = group[0]
        grams = changed_grams(group[0])
        if len({one.slot.expected for one in group}) > 1:
            conflicts += len(group)
        elif first.slot.expected is not Label.ANSWER and not grams:
            unchanged += len(group)
        else:
            kept.append((first, grams))
            repeats += len(group) - 1
    near = _near_duplicates(kept)
    left = [item for item, _ in kept if id(item) not in near]
    return DistinctItems(left, repeats, conflicts, unchanged, len(near))


def changed_grams(item: Generated) -> Grams:
    """Return the word 5-grams that an item adds to its original (1) and those that it
    takes away (0).
    """
    assert item.candidate is not None
    base = item.slot.base
    pairs = [
        (base.query, item.candidate.query),
        *zip(base.passages, item.candidate.passages, strict=True),
    ]
    sides: tuple[set[tuple[str, ...]], set[tuple[str, ...]]] = (set(), set())
    for texts in pairs:
        if texts[0] != texts[1]:
            for side, text in zip(sides, texts, strict=True):
                words = words_of(text)
                side.update(
                    words[at : at + GRAM] for at in range(max(1, len(words) - GRAM + 1))
                )
    gone, new = sides
    return frozenset((1, gram) for gram in new - gone) | frozenset(
        (0, gram) for gram in gone - new
    )


def _near_duplicates(items: Sequence[tuple[Generated, Grams]]) -> set[int]:
    """Return the identities of items of one base question whose changes are nearly the
    same, their labels different.

    Items of one base share most of their text, so that whole texts are alike by nature:
    their changes are compared.
    """
    of_base: dict[str, list[tuple[Generated, Grams]]] = defaultdict(list)
    for item, grams in items:
        of_base[item.slot.base.source_id].append((item, grams))
    near: set[int] = set()
    for own in of_base.values():
        for (one, a), (other, b) in combinations(own, 2):
            alike = len(a & b) >= NEAR * len(a | b) > 0
            if alike and one.slot.expected is not other.slot.expected:
                near |= {id(one), id(other)}
    return near
