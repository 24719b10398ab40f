"""Synthetic RefusalBench-NQ rows for benchmarks: the released counts, made-up text."""

from collections.abc import Iterator

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, expected_label

_SENTENCE = (
    "The archive of the harbour town keeps the record of that year beside the plans of"
    " the bridge. "
)


def synthetic_items(n: int) -> list[RefusalItem]:
    """Return n items over 100 (or n / 16) base questions, 18 cells and four generators,
    with passages of about 1 kB.
    """
    return list(_items(n))


def _items(n: int) -> Iterator[RefusalItem]:
    sources = max(100, n // 16)
    for k in range(n):
        perturbation = CLASSES[k % 6]
        intensity = PERTURBED[k // 6 % 3]
        yield RefusalItem(
            item_id=f"row-{k}",
            source_id=f"source-{k * 7919 % sources}",
            query=f"When was bridge number {k} opened?",
            passages=(
                f"Bridge number {k} was opened in {1800 + k % 200}. " + _SENTENCE * 10,
            ),
            answers=(str(1800 + k % 200),),
            perturbation=perturbation,
            intensity=intensity,
            expected=expected_label(perturbation, intensity),
            lever=f"lever {k % 10}",
            generator=f"generator {k % 4}",
        )
