"""Rows with packed names are those with names, whatever is asked of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics import refusal_rows
from refusalbench_tasks.metrics.refusal_groups import by_group
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.metrics.refusal_values import intervals, kinds
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.results.logs import packed_texts
from refusalbench_tasks.results.logs.growing_rows import GrowingKinds
from refusalbench_tasks.results.logs.packed_kinds import PackedKinds
from refusalbench_tasks.results.logs.packed_texts import PackedTexts
from refusalbench_tasks.stats import cluster
from tests.results.logs.test_growing_rows import sample


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_texts, "_BLOCK", 3)


def rows_of(growing: GrowingKinds, number: int) -> RefusalRows:
    for k in range(number):
        one = sample(k, right=float(k % 3 > 0), control=k % 5 == 4)
        growing.add(one["id"], one)
    return growing.rows()


@pytest.mark.parametrize("number", [0, 1, 2, 7, 31])
def test_they_have_the_same_names_and_units(number: int) -> None:
    packed, plain = (rows_of(kind("refusal_scores"), number) for kind in (PackedKinds, GrowingKinds))
    assert list(map(repr, packed)) == list(map(repr, plain))
    part = np.arange(number)[::2]
    for one, other in ((packed, plain), (packed.at(part), plain.at(part)), (packed.controls, plain.controls)):
        assert one.items.tolist() == other.items.tolist()
        assert one.clusters.tolist() == other.clusters.tolist()
        assert one.questions == other.questions
        assert one.epochs == other.epochs
        for by in ("question", "row"):
            assert one.units(by) == other.units(by)
            assert one.unit_places(by).tolist() == other.unit_places(by).tolist()


@pytest.mark.parametrize("by", ["question", "row"])
def test_of_very_many_units_intervals_are_those_of_all_of_them(by: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = rows_of(PackedKinds("refusal_scores"), 90)
    # without names each row is a kind of its own, and each unit is there
    every = RefusalRows(list(packed))
    for module in (refusal_rows, cluster):
        monkeypatch.setattr(module, "MANY", 20)
    units = packed.perturbed.units_to_draw(by)
    assert units.numbers is not None
    assert len(units.numbers) < 20 < units.numbers.sum()
    for values in (intervals, by_group, kinds):
        found, due = values(packed, 50, 3, by), values(every, 50, 3, by)
        assert repr(found) == repr(due)


@given(st.lists(st.text(max_size=3), max_size=20))
def test_texts_are_given_back_as_they_were(texts: list[str]) -> None:
    packed = PackedTexts()
    for text in texts:
        packed.append(text)
    assert [packed[place] for place in range(len(packed))] == texts
