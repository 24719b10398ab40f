"""Items that say nearly the same as another one although their labels differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.generators.grams import GramSets, Ints, Numbers

Item = TypeVar("Item", bound=Counted)
NEAR = 0.5
"""The Jaccard similarity of two items' changes from which on they are near-duplicates (ours).

Of two bundled rows with different labels none reaches 0.33; one word more or less in a changed sentence of twelve words
leaves 0.5 and more.
"""
_MOST_BITS = 26
_SLICE = 1 << 18
"""So many buckets are looked at together."""
_PRODUCTS = 2_000_000
"""So many products are added up at a time."""


@dataclass(frozen=True)
class Near(Generic[Item]):
    """Two items whose changes are nearly the same although their labels differ, and how similar these are."""

    one: Item
    other: Item
    similarity: float


def near_duplicates(items: Sequence[Item], sets: GramSets, near: float = NEAR) -> list[Near[Item]]:
    """Return each two items whose changes are nearly the same and whose labels differ, in the order of the items.

    Items of one base share most of their text, so that whole texts are alike by nature (ten passages: by more than
    0.9). What is compared is what an item changed (`changed_grams`): the sets are those of the items. The similarity is
    exact, where MinHash would estimate it.
    """
    labels = {label: code for code, label in enumerate(dict.fromkeys(item.expected for item in items))}
    codes = np.array([labels[item.expected] for item in items], np.int64)
    pairs = sorted(_similar(sets, codes, near)) if len(labels) > 1 else []
    return [Near(items[one], items[other], similarity) for one, other, similarity in pairs]


def _similar(sets: GramSets, codes: Ints, near: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of places with different codes that have at least this Jaccard similarity, above 0."""
    sizes = sets.sizes

    @lru_cache(maxsize=1 << 14)
    def grams(k: int) -> frozenset[int]:
        return frozenset(sets.one(k).tolist())

    for ones, others in _candidates(sets, codes, near):
        small, large = np.minimum(sizes[ones], sizes[others]), np.maximum(sizes[ones], sizes[others])
        alike = np.flatnonzero(small >= near * large)
        for one, other in zip(ones[alike].tolist(), others[alike].tolist(), strict=True):
            shared = len(grams(one) & grams(other))
            similarity = shared / (int(sizes[one]) + int(sizes[other]) - shared)
            if shared and similarity >= near:
                yield min(one, other), max(one, other), similarity


def _candidates(sets: GramSets, codes: Ints, near: float) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs with different codes among which all similar ones are (prefix filter, Chaudhuri et al. 2006).

    Two sets that share at least the part `near` of each share a gram among the first |set| - near |set| + 1 of each, in
    any one order of all grams. Grams that only one label has come first, and then rare ones: so few are compared.
    """
    ranks = _ranks(sets, codes)
    shift = np.uint64(64 - len(ranks).bit_length() + 1)
    first = sets.sizes - np.ceil(near * sets.sizes - 1e-9).astype(np.int64) + 1
    held_grams, held_owners = [], []
    for owners, grams in sets.blocks():
        rank = ranks[(grams >> shift).astype(np.int64)]
        order = np.lexsort((rank, owners))  # stable, so that equal ranks stand in the order of the grams
        owners, grams, rank = owners[order], grams[order], rank[order]
        begins = np.searchsorted(owners, owners)
        wanted = (np.arange(len(owners)) - begins < first[owners]) & (rank > 0)
        held_grams.append(grams[wanted])
        held_owners.append(owners[wanted].astype(np.int32))
    if held_grams:
        yield from _sharing(np.concatenate(held_grams), np.concatenate(held_owners), codes)


def _ranks(sets: GramSets, codes: Ints) -> NDArray[np.uint8]:
    """Return a rank for each bucket of grams: 0 if all in it are of one label, else their number up to 255."""
    total = int(sets.sizes.sum())
    bits = min(_MOST_BITS, max(8, (2 * total).bit_length()))
    seen, number = np.zeros(1 << bits, np.uint8), np.zeros(1 << bits, np.uint8)
    for owners, grams in sets.blocks():
        buckets = (grams >> np.uint64(64 - bits)).astype(np.int64)
        own = codes[owners]
        for code in np.unique(own):
            at = buckets[own == code]
            seen[at] |= np.uint8(1 << int(code))
        found, counts = np.unique(buckets, return_counts=True)
        number[found] = np.minimum(number[found] + counts, 255)
    for start in range(0, len(number), _SLICE):
        codes_in = seen[start : start + _SLICE]
        number[start : start + _SLICE][(codes_in & (codes_in - 1)) == 0] = 0
    return number


def _sharing(grams: Numbers, owners: NDArray[np.int32], codes: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of different codes that share one of the grams; each gram is held by its owner."""
    _, columns = np.unique(grams, return_inverse=True)
    shape = (len(codes), int(columns.max(initial=-1)) + 1)
    table = csr_array((np.ones(len(grams), np.int32), (owners, columns)), shape=shape)
    for one, other in combinations(np.unique(codes).tolist(), 2):
        own, theirs = np.flatnonzero(codes == one), np.flatnonzero(codes == other)
        rows, columns_of = table[own], table[theirs].T.tocsr()
        work = np.cumsum(rows @ np.diff(columns_of.indptr))
        start = 0
        while start < len(own):
            done = work[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(work, done + _PRODUCTS, "right")))
            shared = (rows[start:end] @ columns_of).tocoo()
            yield own[shared.row + start], theirs[shared.col]
            start = end
