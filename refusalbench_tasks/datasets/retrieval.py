"""Whether what an application retrieved holds what a row's answer rests on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.replies.alias import answer_tokens

GRAM = 5
"""Words of the sequences by which texts are compared."""
NEAR = 0.5
"""The share of the shorter text's word sequences that the other must have for the two to be one passage."""
SHORTEST = 10
"""A text of fewer words is the same passage as another only if their words are equal: a heading is no passage."""
_FOLLOWS = frozenset({"yes", "no", "true", "false"})
"""Answers that follow from a text: that their word stands in it says nothing."""


@dataclass(frozen=True)
class Retrieval:
    """What is known of the passages that an application retrieved for a row."""

    k: int
    """How many there are."""
    hit: bool | None
    """Whether one of them is a gold passage or holds the answer; None if there is nothing to tell it by."""
    relevant: tuple[int, ...]
    """The positions, from 0, of those that are or do."""


def retrieval_of(item: RefusalItem, retrieved: Sequence[str]) -> Retrieval:
    """Return what is known of the retrieved passages (our definition).

    Gold passages are the row's signal passages, or its only passage. A retrieved one hits if it is nearly one of them
    (`same_passage`) or, on an answerable row, if a gold alias stands in it (`holds_alias`, DPR's `has_answer`). Without
    gold passages and aliases nothing can be told. No retrieved passage is a miss.
    """
    gold = gold_passages(item)
    aliases = tuple(filter(None, map(_alias, item.answers))) if item.answerable else ()
    known = bool(gold or aliases)
    relevant = tuple(
        place
        for place, text in enumerate(retrieved)
        if any(same_passage(text, passage) for passage in gold) or holds_alias(text, aliases)
    )
    return Retrieval(len(retrieved), bool(relevant) if known else None, relevant)


def gold_passages(item: RefusalItem) -> tuple[str, ...]:
    """Return the passages that the row's answer rests on: those of its `signal`, or its only one; else none."""
    if item.signal:
        return tuple(item.passages[position] for position in item.signal)
    return item.passages if len(item.passages) == 1 else ()


def same_passage(one: str, other: str) -> bool:
    """Return whether two texts are nearly one passage, or one is nearly a part of the other.

    True if at least `NEAR` of the distinct word 5-grams of the shorter one stand in the other (the overlap
    coefficient), and the shorter one has `SHORTEST` words; and always if their words are equal. Case and punctuation do
    not count. False if one of them has no word.
    """
    a, b = sorted((_words(one), _words(other)), key=len)
    if not a:
        return False
    if len(a) < SHORTEST:
        return a == b
    shorter = _grams(a)
    return len(shorter & _grams(b)) >= NEAR * len(shorter)


def holds_alias(text: str, aliases: Sequence[Sequence[str]]) -> bool:
    """Return whether the tokens of an alias stand in a text, one after the other (SQuAD's normalisation)."""
    tokens = f" {' '.join(answer_tokens(text))} " if aliases else ""
    return any(f" {' '.join(alias)} " in tokens for alias in aliases)


def as_seen(item: RefusalItem, retrieved: Sequence[str]) -> RefusalItem:
    """Return the row with the passages that the application saw in place of its own.

    Its signal is then the relevant ones. Where nothing tells which are relevant, all of them are.
    """
    found = retrieval_of(item, retrieved)
    signal = tuple(range(found.k)) if found.hit is None else found.relevant
    # not validated again: an application may have retrieved nothing, which a row of a data set cannot have
    return item.model_copy(update={"passages": tuple(retrieved), "signal": signal})


def _alias(answer: str) -> tuple[str, ...]:
    tokens = tuple(answer_tokens(answer))
    return () if set(tokens) <= _FOLLOWS else tokens


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _grams(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[k : k + GRAM]) for k in range(len(words) - GRAM + 1)}
