"""The plan: every cell, levers evenly spread, the same for the same seed."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.applicability import applicable
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.survey import survey
from refusalbench_tasks.taxonomy import Label

LEVERS = bundled_levers()


def bases(n: int) -> list[RefusalItem]:
    return [
        RefusalItem(item_id=f"b{k}", source_id=f"b{k}", query=f"q{k}?", passages=("c",), answers=("c",),
                    expected=Label.ANSWER)
        for k in range(n)
    ]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 25), st.integers(0, 5))
def test_rotation_has_one_slot_per_base_and_cell_and_spreads_the_levers(n: int, seed: int) -> None:
    plan = make_plan(bases(n), LEVERS, "rotation", seed)
    assert len(plan) == 18 * n
    assert len({slot.slot_id for slot in plan}) == len(plan)
    assert {slot.alternatives for slot in plan} == {()}
    for cell in {(slot.perturbation, slot.intensity) for slot in plan}:
        own = [slot for slot in plan if (slot.perturbation, slot.intensity) == cell]
        uses = Counter(slot.lever for slot in own)
        available = [lever for lever in LEVERS if (lever.perturbation, lever.intensity) == cell]
        assert len(own) == n
        assert max(uses.values()) - min(uses.get(lever.name, 0) for lever in available) <= 1


def test_balanced_plans_only_what_can_be_applied_and_every_base_that_a_lever_of_the_cell_fits() -> None:
    questions = load_bases("nq_sample")
    plan = make_plan(questions, LEVERS)
    by_name = {lever.name: lever for lever in LEVERS}
    for slot in plan:
        cell = [one for one in LEVERS if (one.perturbation, one.intensity) == (slot.perturbation, slot.intensity)]
        fitting = {one.name for one in cell if not applicable(one, slot.base)}
        assert slot.lever is not None
        assert fitting == {slot.lever, *slot.alternatives}
        assert slot.lever not in slot.alternatives
        assert by_name[slot.lever].intensity is slot.intensity
    found = survey(questions, LEVERS)
    assert len(plan) == 18 * len(questions) - len(found.without)
    assert len({slot.slot_id for slot in plan}) == len(plan)


def test_balanced_uses_levers_without_needs_equally() -> None:
    free = [lever for lever in LEVERS if not lever.needs and lever.perturbation.short == "EpistemicMismatch"]
    uses = Counter(slot.lever for slot in make_plan(bases(len(free) * 3), free) if slot.intensity == "HIGH")
    assert max(uses.values()) - min(uses.values()) <= 1


def test_alternatives_begin_with_the_lever_that_is_used_least() -> None:
    uses: dict[tuple[str, str], Counter[str]] = {}
    plan = make_plan(load_bases("nq_sample"), LEVERS)
    for slot in plan:
        uses.setdefault((slot.perturbation, slot.intensity), Counter()).update([slot.lever or ""])
    for slot in plan:
        counts = [uses[slot.perturbation, slot.intensity][name] for name in slot.alternatives]
        assert counts == sorted(counts)


def test_a_survey_names_what_is_never_usable_and_who_goes_without() -> None:
    needy = [lever for lever in LEVERS if lever.name in ("Table Gap", "Price Redacted", "Answer Clause Excised")]
    found = survey(bases(2), needy)
    # neither base has a number or a price: 2 x 2 pairs of 2 x 3 can't be applied, and the free lever fits both
    assert (found.pairs, found.inapplicable, found.without) == (6, 4, ())
    assert found.never_usable == ("Price Redacted", "Table Gap")
    price = [lever for lever in needy if lever.name == "Price Redacted"]
    alone = survey(bases(1), price)
    assert [base for base, *_ in alone.without] == ["b0"]
    with pytest.raises(DataError, match="none of the levers can be applied"):
        make_plan(bases(1), price)
    assert len(make_plan(bases(1), price, "rotation")) == 1


def test_all_has_each_lever_for_each_base_and_model_has_none() -> None:
    assert Counter(slot.lever for slot in make_plan(bases(3), LEVERS, "all")) == {lever.name: 3 for lever in LEVERS}
    assert {slot.lever for slot in make_plan(bases(3), LEVERS, "model")} == {None}


def test_a_prefix_is_balanced_over_cells() -> None:
    plan = make_plan(load_bases("nq_sample"), LEVERS)
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
