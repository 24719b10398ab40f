"""Rows that show a model the same input."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem


@dataclass(frozen=True)
class Duplicates:
    """Groups of item ids with equal query and passages: with one label, and with conflicting labels."""

    agreeing: tuple[tuple[str, ...], ...]
    conflicting: tuple[tuple[str, ...], ...]


def find_duplicates(items: Sequence[RefusalItem]) -> Duplicates:
    """Return the groups of two or more items that have exactly the same query and passages."""
    groups: dict[tuple[str, tuple[str, ...]], list[RefusalItem]] = defaultdict(list)
    for item in items:
        groups[(item.query, item.passages)].append(item)
    agreeing: list[tuple[str, ...]] = []
    conflicting: list[tuple[str, ...]] = []
    for group in groups.values():
        if len(group) < 2:
            continue
        ids = tuple(item.item_id for item in group)
        (agreeing if len({item.expected for item in group}) == 1 else conflicting).append(ids)
    return Duplicates(tuple(agreeing), tuple(conflicting))


def without(items: Sequence[RefusalItem], groups: Sequence[Sequence[str]]) -> list[RefusalItem]:
    """Return the items whose id is in none of the groups."""
    dropped = {item_id for group in groups for item_id in group}
    return [item for item in items if item.item_id not in dropped]
