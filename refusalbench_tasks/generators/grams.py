"""Word 5-grams as numbers: what an item changed of its original."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

GRAM = 5
Numbers = NDArray[np.uint64]
Ints = NDArray[np.int64]
Words = tuple[str, ...]
_BLOCK = 1 << 18
_MARK = "\x1f"
"""Stands between words; no word has it."""


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, without case and punctuation."""
    return tuple(re.findall(r"\w+", text.casefold()))


def input_digest(query: str, passages: Sequence[str]) -> bytes:
    """Return 16 bytes that depend on the words of question and passages."""
    said = "\x1e".join("\x1f".join(words_of(text)) for text in (query, *passages))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def changed_grams(query: str, passages: Sequence[str], new_query: str, new_passages: Sequence[str]) -> Numbers:
    """Return the word 5-grams that an item adds to its original and those that it takes away, as sorted numbers.

    A text of fewer words is one gram. Empty if the item differs from its original in no word. That two grams have one
    number of 64 bits is as good as impossible.
    """
    pairs = zip((query, *passages), (new_query, *new_passages), strict=True)
    before, after, kept = set[str](), set[str](), [""]
    for old, new in pairs:
        if old != new:
            start, end = _ends(words_of(old), words_of(new))
            before |= _grams(words_of(old), start, end)
            after |= _grams(words_of(new), start, end)
            kept += [_text(words_of(old)[:start]), _text(words_of(old)[len(words_of(old)) - end :])]
    stays = "\x1e".join(kept)
    changed = [(sign, gram) for sign, own in (("+", after - before), ("-", before - after)) for gram in own]
    # a gram of a short text is one only as the whole of it
    found = [gram_number(*one) for one in changed if one[1].count(_MARK) <= GRAM or one[1] not in stays]
    return np.array(sorted(found), np.uint64)


def gram_number(sign: str, gram: str) -> int:
    """Return the number of a gram (words between marks, `_text`) that was added (`+`) or taken away (`-`)."""
    return int.from_bytes(blake2b(f"{sign}{gram}".encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _ends(old: Words, new: Words) -> tuple[int, int]:
    """Return how many words two texts begin with alike, and how many of the others they end with alike."""
    most = min(len(old), len(new))
    if most < GRAM:
        return 0, 0
    start = next((k for k in range(most) if old[k] != new[k]), most)
    end = next((k for k in range(most - start) if old[-1 - k] != new[-1 - k]), most - start)
    return start, end


def _grams(words: Words, start: int, end: int) -> set[str]:
    """Return the grams of a text that lie neither in its first `start` nor in its last `end` words."""
    if len(words) < GRAM:
        return {_text(words)}
    last = min(len(words) - end, len(words) - GRAM + 1)
    return {_text(words[k : k + GRAM]) for k in range(max(0, start - GRAM + 1), last)}


def _text(words: Words) -> str:
    return _MARK + _MARK.join(words) + _MARK


class Flat(Protocol):
    """Numbers one behind the other, in memory or on a disk."""

    def __getitem__(self, part: slice, /) -> Any: ...


class OnDisk:
    """Numbers in files, one behind the other: a part is read when it is asked for."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = list(files)
        sizes = [file.stat().st_size // 8 for file in files]
        self._edges = [0, *np.cumsum(np.array(sizes, np.int64)).tolist()]

    def __getitem__(self, part: slice, /) -> Numbers:
        """Return the numbers from `start` to `stop`."""
        found = [
            np.fromfile(
                file, np.uint64, min(part.stop, end) - max(part.start, start), offset=8 * max(0, part.start - start)
            )
            for file, (start, end) in zip(self._files, pairwise(self._edges), strict=True)
            if start < part.stop and part.start < end
        ]
        return np.concatenate(found) if found else np.empty(0, np.uint64)


@dataclass(frozen=True)
class GramSets:
    """A set of grams for each of many items: sorted, from a start in `flat`, in ascending order of the starts."""

    flat: Flat
    starts: Ints
    sizes: Ints

    @staticmethod
    def of(sets: Sequence[Numbers]) -> "GramSets":
        """Return sets that are in memory."""
        sizes = np.array([len(own) for own in sets], np.int64)
        flat = np.concatenate([*sets, np.empty(0, np.uint64)])
        return GramSets(flat, np.cumsum(sizes) - sizes, sizes)

    def take(self, places: Ints) -> "GramSets":
        """Return the sets of some items, in ascending order of their places."""
        return GramSets(self.flat, self.starts[places], self.sizes[places])

    def one(self, k: int) -> Numbers:
        """Return the set of one item."""
        found: Numbers = self.flat[int(self.starts[k]) : int(self.starts[k] + self.sizes[k])]
        return found

    def blocks(self) -> Iterator[tuple[Ints, Numbers]]:
        """Yield, for some items after others, the number of the item of each gram, and the grams."""
        first = 0
        while first < len(self.sizes):
            behind = int(np.searchsorted(self.starts, self.starts[first] + _BLOCK))
            end = max(first + 1, min(behind, len(self.sizes)))
            start = int(self.starts[first])
            read = self.flat[start : int(self.starts[end - 1] + self.sizes[end - 1])]
            own = self.sizes[first:end]
            owners = np.repeat(np.arange(first, end), own)
            within = np.arange(len(owners)) - np.repeat(np.cumsum(own) - own, own)
            yield owners, read[self.starts[owners] - start + within]
            first = end
