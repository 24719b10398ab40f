"""The plan: every cell, levers evenly spread, the same for the same seed."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import (
    applicable,
    make_plan,
    never_usable,
    spread,
)
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


def test_balanced_plans_every_base_that_a_lever_of_the_cell_fits() -> None:
    questions = curate("nq_sample").items
    plan = make_plan(questions, LEVERS)
    by_name = {lever.name: lever for lever in LEVERS}
    for slot in plan:
        cell = [
            one
            for one in LEVERS
            if (one.perturbation, one.intensity) == (slot.perturbation, slot.intensity)
        ]
        fitting = {one.name for one in cell if applicable(one, slot.base)}
        assert slot.lever is not None
        assert fitting == {slot.lever, *slot.alternatives}
        assert slot.lever not in slot.alternatives
        assert by_name[slot.lever].intensity is slot.intensity
    assert len(plan) == 18 * len(questions)
    assert len({slot.slot_id for slot in plan}) == len(plan)


def test_balanced_uses_levers_that_fit_any_answer_equally() -> None:
    free = [
        lever
        for lever in LEVERS
        if not lever.answers and lever.perturbation.short == "EpistemicMismatch"
    ]
    uses = Counter(
        slot.lever
        for slot in make_plan(bases(len(free) * 3), free)
        if slot.intensity == "HIGH"
    )
    assert max(uses.values()) - min(uses.values()) <= 1


def test_alternatives_begin_with_the_lever_that_is_used_least() -> None:
    uses: dict[tuple[str, str], Counter[str]] = {}
    plan = make_plan(curate("nq_sample").items, LEVERS)
    for slot in plan:
        uses.setdefault((slot.perturbation, slot.intensity), Counter()).update(
            [slot.lever or ""]
        )
    for slot in plan:
        counts = [
            uses[slot.perturbation, slot.intensity][name] for name in slot.alternatives
        ]
        assert counts == sorted(counts)


def test_levers_that_fit_no_base_question_are_named() -> None:
    dated = [
        base.model_copy(update={"answers": ("1893",), "query": "When was it?"})
        for base in bases(2)
    ]
    names = ("Table Gap", "Price Redacted", "Answer Clause Excised")
    chosen = [lever for lever in LEVERS if lever.name in names]
    # a year is no price
    price = [lever for lever in chosen if lever.name == "Price Redacted"]
    assert never_usable(dated, chosen) == tuple(price)
    with pytest.raises(DataError, match="none of the levers can be applied"):
        make_plan(dated, price)
    assert len(make_plan(dated[:1], price, "all")) == 1


def test_few_levers_are_refused_and_epistemic_low_spreads_over_many() -> None:
    both = curate("nq_sample").items + curate("garage_sample").items
    assert never_usable(both, LEVERS) == ()
    plan = make_plan(curate("nq_sample").items, LEVERS)
    used = Counter(
        s.lever
        for s in plan
        if s.perturbation.short == "EpistemicMismatch" and s.intensity == "LOW"
    )
    assert len(used) > 6
    assert max(used.values()) <= 3


def test_all_has_each_lever_for_each_base() -> None:
    assert Counter(slot.lever for slot in make_plan(bases(3), LEVERS, "all")) == {
        lever.name: 3 for lever in LEVERS
    }


def test_a_prefix_is_balanced_over_cells() -> None:
    plan = make_plan(curate("nq_sample").items, LEVERS)
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


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), max_size=5))
def test_no_other_assignment_is_more_even(fits: list[list[bool]]) -> None:
    found = spread(fits)
    assert all(
        (at is None) == (not any(row)) and (at is None or row[at])
        for row, at in zip(fits, found, strict=True)
    )
    choices: list[list[int | None]] = [
        [at for at, fit in enumerate(row) if fit] or [None] for row in fits
    ]
    assert _cost(found) == min(_cost(other) for other in product(*choices))


def _cost(chosen: Sequence[int | None]) -> int:
    uses = Counter(at for at in chosen if at is not None)
    return sum(count * (count + 1) // 2 for count in uses.values())
