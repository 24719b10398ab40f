"""Selection is balanced, reproducible and never a prefix."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.benchmarks import draw, keep
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import (
    CLASSES,
    PERTURBED,
    Intensity,
    Label,
    expected_label,
)


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


def cells(drawn: list[RefusalItem]) -> Counter[tuple[str, str]]:
    return Counter((str(i.perturbation), str(i.intensity)) for i in drawn)


def test_a_draw_is_balanced_over_cells_and_spread_over_generators() -> None:
    drawn = draw(items(), per_stratum=4, seed=1)
    assert set(cells(drawn).values()) == {4}
    assert len(cells(drawn)) == 18
    per_cell_and_generator = Counter(
        (i.perturbation, i.intensity, i.generator) for i in drawn
    )
    assert set(per_cell_and_generator.values()) == {1}


def test_every_prefix_is_balanced() -> None:
    drawn = draw(items(), per_stratum=None, seed=3)
    for k in (18, 36, 54):
        assert set(cells(drawn[:k]).values()) == {k // 18}


@given(st.randoms(), st.integers(0, 5))
def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_the_rows(
    random: Random, seed: int
) -> None:
    shuffled = items()
    random.shuffle(shuffled)
    assert draw(shuffled, 2, seed) == draw(items(), 2, seed)


def test_filters_ignore_case_and_the_p_of_classes_and_name_what_is_known() -> None:
    kept = keep(items(), "classes", ["ambiguity", "P-MISSINGINFO"])
    assert {str(i.perturbation) for i in kept} == {"P-Ambiguity", "P-MissingInfo"}
    with pytest.raises(
        DataError, match="classes: unknown name 'Doubt'; known: P-Ambiguity"
    ):
        keep(items(), "classes", ["Doubt"])


def test_controls_pass_every_filter() -> None:
    control = item("c")
    kept = keep([*items(), control], "intensities", ["LOW"])
    assert control in kept
    assert {i.intensity for i in kept} == {Intensity.LOW, Intensity.CLEAN}
