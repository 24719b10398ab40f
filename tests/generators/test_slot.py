"""A slot, its attempts and its siblings."""

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import (
    make_plan,
    with_siblings,
)
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import Label

LEVERS = bundled_levers()


def bases(n: int) -> list[RefusalItem]:
    return [
        RefusalItem(
            item_id=f"b{k}",
            source_id=f"b{k}",
            query=f"q{k}?",
            passages=("c",),
            answers=("c",),
            expected=Label.ANSWER,
        )
        for k in range(n)
    ]


def test_siblings_know_each_other_and_need_one_lever_a_cell() -> None:
    plan = with_siblings(make_plan(bases(2), LEVERS))
    first = plan[0]
    assert [slot.intensity for slot in first.family] == ["LOW", "MEDIUM", "HIGH"]
    assert {slot.slot_id for slot in first.family} <= {slot.slot_id for slot in plan}
    with pytest.raises(DataError, match="one planned lever for each cell"):
        with_siblings(make_plan(bases(1), LEVERS, "all"))


def test_a_slot_survives_the_log() -> None:
    for slot in make_plan(curate("garage_sample").items, LEVERS)[:5]:
        assert ItemSlot.model_validate(slot.to_sample().metadata) == slot
        second = slot.again(("too easy",))
        assert (second.slot_id, second.sample_id) == (slot.slot_id, f"{slot.slot_id}~2")
