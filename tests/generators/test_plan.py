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
    spread,
    survey,
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
    found = survey(questions, LEVERS)
    assert len(plan) == 18 * len(questions) - len(found.without)
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


def test_a_survey_names_what_is_never_usable_and_who_goes_without() -> None:
    dated = [
        base.model_copy(update={"answers": ("1893",), "query": "When was it?"})
        for base in bases(2)
    ]
    chosen = [
        lever
        for lever in LEVERS
        if lever.name in ("Table Gap", "Price Redacted", "Answer Clause Excised")
    ]
    found = survey(dated, chosen)
    # a year is no price: 2 of 2 x 3 pairs can't be applied, and the two other levers
    # fit both
    assert (found.pairs, found.inapplicable, found.without) == (6, 2, ())
    assert found.never_usable == ("Price Redacted",)
    price = [lever for lever in chosen if lever.name == "Price Redacted"]
    assert [base for base, *_ in survey(dated[:1], price).without] == ["b0"]
    with pytest.raises(DataError, match="none of the levers can be applied"):
        make_plan(dated, price)
    assert len(make_plan(dated[:1], price, "all")) == 1


def test_few_levers_are_refused_and_epistemic_low_spreads_over_many() -> None:
    both = curate("nq_sample").items + curate("garage_sample").items
    assert survey(both, LEVERS).never_usable == ()
    plan = make_plan(curate("nq_sample").items, LEVERS)
    used = Counter(
        s.lever
        for s in plan
        if s.perturbation.short == "EpistemicMismatch" and s.intensity == "LOW"
    )
    assert len(used) > 6
    assert max(used.values()) <= 3


def test_siblings_know_each_other_and_need_one_lever_a_cell() -> None:
    plan = with_siblings(make_plan(bases(2), LEVERS))
    first = plan[0]
    assert [slot.intensity for slot in first.family] == ["LOW", "MEDIUM", "HIGH"]
    assert {slot.slot_id for slot in first.family} <= {slot.slot_id for slot in plan}
    with pytest.raises(DataError, match="one planned lever for each cell"):
        with_siblings(make_plan(bases(1), LEVERS, "all"))


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


def test_a_slot_survives_the_log() -> None:
    for slot in make_plan(curate("garage_sample").items, LEVERS)[:5]:
        assert ItemSlot.model_validate(slot.to_sample().metadata) == slot
        second = slot.again(("too easy",))
        assert (second.slot_id, second.sample_id) == (slot.slot_id, f"{slot.slot_id}~2")


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
