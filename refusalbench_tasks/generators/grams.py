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
Texts = Sequence[tuple[str, str]]
"""The texts of an item, each as it was before it was changed and as it is."""
_BLOCK = 1 << 18
_WORD = re.compile(r"\w+")
_ADDED = np.uint64(1)
_FACTORS = np.array(
    [0xA24BAED4963EE407, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3], np.uint64
)
"""Odd numbers without a pattern, one for each place in a gram."""
_MOST_WORDS = 1 << 16
"""So many words are held with their numbers."""
_PLAIN = bytes(code if _WORD.match(chr(code)) else 32 for code in bytes(range(128)).lower()) + bytes(128)
"""To which byte each of ASCII becomes: small letters, digits, and blanks for the rest."""


@lru_cache(maxsize=1024)
def words_of(text: str) -> Words:
    """Return the words of a text, without case and punctuation."""
    if text.isascii():
        # half the time of the expression, of which this is what it means in ASCII
        return tuple(text.encode().translate(_PLAIN).decode().split())
    return tuple(_WORD.findall(text.casefold()))


def input_digest(query: str, passages: Sequence[str]) -> bytes:
    """Return 16 bytes that depend on the words of question and passages."""
    said = "\x1e".join("\x1f".join(words_of(text)) for text in (query, *passages))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def changed_grams(items: Sequence[Texts]) -> tuple[Numbers, Ints]:
    """Return the word 5-grams that each item adds to its original and those that it takes away, and how many they are.

    They stand item by item, each time as sorted numbers; those that were added are odd, those that were taken away
    even. An item that differs from its original in no word has none. That two grams have one number of 64 bits is as
    good as impossible. Many items are done at once, because a step of numpy takes as long for one.
    """
    owners, sides, words = list[int](), list[int](), list[bytes]()
    for owner, texts in enumerate(items):
        for pair in texts:
            if pair[0] != pair[1]:
                owners += (owner, owner)
                sides += (0, 1)
                words += (_numbers_of_original(pair[0]), _numbers_of(pair[1]))
    if not words:
        return np.empty(0, np.uint64), np.zeros(len(items), np.int64)
    grams, sizes = _grams_of(words)
    tags = np.repeat(np.array(sides, np.uint64), sizes)
    owner_of = np.repeat(np.array(owners, np.int64), sizes)
    return _one_sided(grams & ~_ADDED | tags, owner_of, len(items))


def _one_sided(grams: Numbers, owners: Ints, number: int) -> tuple[Numbers, Ints]:
    """Return the grams that an owner has only as odd or only as even numbers, each once, and how many each has.

    The owners are in ascending order. The grams are sorted in place.
    """
    # a tenth of the time of sorting all by two keys: what one owner has stands together
    for start, end in pairwise(np.searchsorted(owners, np.arange(number + 1)).tolist()):
        grams[start:end].sort()
    same = owners[1:] == owners[:-1]
    once = np.ones(len(grams), bool)
    once[1:] = ~same | (grams[1:] != grams[:-1])
    grams, owners = grams[once], owners[once]
    # what was taken away and added stands beside itself
    both = (owners[1:] == owners[:-1]) & (grams[1:] ^ grams[:-1] == _ADDED)
    left = np.ones(len(grams), bool)
    left[1:] &= ~both
    left[:-1] &= ~both
    return grams[left], np.bincount(owners[left], minlength=number)


def _grams_of(texts: Sequence[bytes]) -> tuple[Numbers, Ints]:
    """Return the numbers of the word 5-grams of texts, one text after the other, and how many each text has.

    The texts are their words' numbers, at least five. A gram's number is the sum of these, each times a factor of its
    place in the gram.
    """
    words = np.frombuffer(b"".join(texts), np.uint64)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) // 8
    number = len(words) - GRAM + 1
    found = words[:number] * _FACTORS[0]
    for place, factor in enumerate(_FACTORS[1:], 1):
        found += words[place : place + number] * factor
    # those that begin in the last four words of a text end in the next one
    whole = np.ones(len(words), bool)
    ends = np.cumsum(lengths)
    for back in range(1, GRAM):
        whole[ends - back] = False
    return found[whole[:number]], lengths - GRAM + 1


def _numbers_of(text: str) -> bytes:
    """Return the numbers of a text's words, 8 bytes each; zeros up to the fifth one, so that a text is a gram."""
    return b"".join(map(_NUMBERS.__getitem__, words_of(text))).ljust(8 * GRAM, b"\0")


# of the many texts that are made of an original none comes twice
_numbers_of_original = lru_cache(maxsize=2048)(_numbers_of)


class _WordNumbers(dict[str, bytes]):
    """Words with their numbers, as 8 bytes."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = found = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return found


_NUMBERS = _WordNumbers()


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
