"""The plan: every cell, levers evenly spread, the same for the same seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label

LEVERS = bundled_levers()


def bases(n: int) -> list[RefusalItem]:
    return [
        RefusalItem(item_id=f"b{k}", source_id=f"b{k}", query=f"q{k}?", passages=("c",), answers=("c",),
                    expected=Label.ANSWER)
        for k in range(n)
    ]  # fmt: skip


@given(st.integers(1, 25), st.integers(0, 5))
def test_balanced_has_one_slot_per_base_and_cell_and_spreads_the_levers(n: int, seed: int) -> None:
    plan = make_plan(bases(n), LEVERS, "balanced", seed)
    assert len(plan) == 18 * n
    assert len({slot.slot_id for slot in plan}) == len(plan)
    for cell in {(slot.perturbation, slot.intensity) for slot in plan}:
        own = [slot for slot in plan if (slot.perturbation, slot.intensity) == cell]
        uses = Counter(slot.lever for slot in own)
        available = [lever for lever in LEVERS if (lever.perturbation, lever.intensity) == cell]
        assert len(own) == n
        assert max(uses.values()) - min(uses.get(lever.name, 0) for lever in available) <= 1


def test_all_has_each_lever_for_each_base_and_model_has_none() -> None:
    assert Counter(slot.lever for slot in make_plan(bases(3), LEVERS, "all")) == {lever.name: 3 for lever in LEVERS}
    assert {slot.lever for slot in make_plan(bases(3), LEVERS, "model")} == {None}


def test_a_prefix_is_balanced_over_cells() -> None:
    plan = make_plan(bases(4), LEVERS)
    for k in (18, 36):
        cells = Counter((slot.perturbation, slot.intensity) for slot in plan[:k])
        assert set(cells.values()) == {k // 18}


def test_the_plan_depends_on_the_seed_and_not_on_the_order_of_the_bases() -> None:
    questions = bases(6)
    assert make_plan(questions, LEVERS) == make_plan(questions[::-1], LEVERS)
    assert make_plan(questions, LEVERS) != make_plan(questions, LEVERS, seed=1)


def test_nothing_to_plan_and_repeated_ids_are_errors() -> None:
    with pytest.raises(DataError, match="nothing to plan"):
        make_plan([], LEVERS)
    with pytest.raises(DataError, match="the same id"):
        make_plan(bases(1) * 2, LEVERS)


def test_a_slot_survives_the_log() -> None:
    for slot in make_plan(load_bases("garage_sample"), LEVERS)[:5]:
        assert Slot.model_validate(slot.to_sample().metadata) == slot
        second = slot.again(("too easy",))
        assert (second.slot_id, second.sample_id) == (slot.slot_id, f"{slot.slot_id}~2")
