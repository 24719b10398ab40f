"""Drawing from a pool the item whose lever, and then whose base question, was drawn least so far."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace
from typing import Generic

from refusalbench_tasks.generators.near_duplicates import Item


class Use:
    """How often levers and base questions were drawn, over all pools."""

    def __init__(self) -> None:
        self.levers: Counter[str] = Counter()
        self.bases: Counter[str] = Counter()


class EvenDraw(Generic[Item]):
    """A pool from which items are drawn: the one whose lever was drawn least, then its base, and the first of equals.

    Counts only grow, so that what a heap holds of them is never too large: the least entry is brought up to date until
    it stays the least. A draw takes time in proportion to the logarithm of the pool.
    """

    def __init__(self, items: Sequence[Item], use: Use) -> None:
        self._items, self._use = list[Item | None](items), use
        self._left = len(items)
        self._places: dict[tuple[str, str], deque[int]] = defaultdict(deque)
        for place, item in enumerate(items):
            self._places[item.used_lever.casefold(), item.source_id].append(place)
        self._bases: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for (lever, base), places in self._places.items():
            self._bases[lever].append((use.bases[base], places[0], base))
        for heap in self._bases.values():
            heapify(heap)
        self._levers = [(use.levers[lever], *self._bases[lever][0], lever) for lever in self._bases]
        heapify(self._levers)

    def __len__(self) -> int:
        """Return how many items are left."""
        return self._left

    def left(self) -> list[Item]:
        """Return the items that are left, in order."""
        return [item for item in self._items if item is not None]

    def take(self) -> Item:
        """Take an item out. Raises IndexError if none is left."""
        while True:
            entry = self._levers[0]
            lever = entry[-1]
            now = (self._use.levers[lever], *self._least(lever), lever)
            if now == entry:
                break
            heapreplace(self._levers, now)
        _, _, place, base, lever = entry
        item, self._items[place] = self._items[place], None
        assert item is not None
        self._left -= 1
        self._use.levers[lever] += 1
        self._use.bases[base] += 1
        self._advance(lever, base)
        return item

    def _least(self, lever: str) -> tuple[int, int, str]:
        heap = self._bases[lever]
        while True:
            used, place, base = heap[0]
            if used == self._use.bases[base]:
                return heap[0]
            heapreplace(heap, (self._use.bases[base], place, base))

    def _advance(self, lever: str, base: str) -> None:
        """Go to the next item of a lever and a base, the least of its lever; without one both may be done."""
        places, heap = self._places[lever, base], self._bases[lever]
        places.popleft()
        if places:
            heapreplace(heap, (self._use.bases[base], places[0], base))
        else:
            heappop(heap)
        if not heap:
            heappop(self._levers)
