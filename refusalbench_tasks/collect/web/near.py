"""Sources that say the same in the same words: two arms must not share one, nor may one repeat the gold passage."""

from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.generators.kit.near import Grams, grams

NEAR = 0.5
"""The Jaccard similarity of two texts' word 5-grams from which on they are near duplicates (our definition).

One word in twenty changed leaves about 0.6: 5 of 20 grams differ, so 15 of 25 are shared.
"""
WITHIN = 0.8
"""The share of the shorter text's 5-grams that the longer one has, from which on it is an excerpt of it (ours)."""


@dataclass(frozen=True)
class Repeat:
    """A text that repeats an earlier one: its position, that of the other (None: the gold passage), how similar."""

    position: int
    of: int | None
    similarity: float
    within: float


def repeats(texts: Sequence[str], gold: str | None = None, near: float = NEAR, within: float = WITHIN) -> list[Repeat]:
    """Return the texts that repeat the gold passage or an earlier text that is kept, each once, in order.

    Two texts repeat each other if the Jaccard similarity of their word 5-grams is `near` or more, or if the longer
    one has at least `within` of the shorter one's. Both are exact, where MinHash would estimate the first and not
    give the second: one question's candidates are few. Texts of fewer than five words are compared as a whole; texts
    without words repeat nothing. Give the texts in order of preference: the first of two stays.
    """
    kept: list[tuple[int | None, Grams]] = [] if gold is None else [(None, _grams(gold))]
    found: list[Repeat] = []
    for position, text in enumerate(texts):
        own = _grams(text)
        same = next(
            (one for one in (_repeat(position, own, *other) for other in kept) if _is_one(one, near, within)), None
        )
        if same is None:
            kept.append((position, own))
        else:
            found.append(same)
    return found


def _grams(text: str) -> Grams:
    return frozenset(gram for gram in grams(text) if gram)


def _repeat(position: int, own: Grams, of: int | None, other: Grams) -> Repeat:
    shared = len(own & other)
    union, shorter = len(own | other), min(len(own), len(other))
    return Repeat(position, of, shared / union if union else 0.0, shared / shorter if shorter else 0.0)


def _is_one(one: Repeat, near: float, within: float) -> bool:
    return one.similarity >= near or one.within >= within
