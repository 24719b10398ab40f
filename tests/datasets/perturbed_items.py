"""Rows of the refusal kind for tests of selections."""

from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label, expected_label


def item(name: str, **changes: Any) -> RefusalItem:
    fields = {
        "item_id": name,
        "source_id": name,
        "query": "q",
        "passages": ("p",),
        "answers": ("a",),
    }
    return RefusalItem.model_validate(fields | {"expected": Label.ANSWER} | changes)


def items(per_cell: int = 8, generators: int = 4) -> list[RefusalItem]:
    return [
        item(
            f"{g}-{c}-{i}-{k}",
            source_id=f"s{k}",
            perturbation=c,
            intensity=i,
            expected=expected_label(c, i),
            generator=f"g{g}",
        )
        for g in range(generators)
        for c in CLASSES
        for i in PERTURBED
        for k in range(per_cell // generators)
    ]
