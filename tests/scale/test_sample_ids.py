"""The ids of shards, packed, and whether one is in two shards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.scale.sample_ids import SampleIds, shared_id

IDS = st.lists(st.integers(-3, 9) | st.text("ab-1", max_size=2), max_size=6)


@given(IDS)
def test_ids_are_given_back_as_they_were(ids: list[int | str]) -> None:
    packed = SampleIds.of(ids)
    assert list(packed) == ids
    assert len(packed) == len(ids)


@given(st.lists(IDS, max_size=4))
def test_the_first_id_of_two_shards_is_found(shards: list[list[int | str]]) -> None:
    places: dict[int | str, int] = {}
    due = None
    for place, ids in enumerate(shards):
        for name in ids:
            if places.setdefault(name, place) != place and due is None:
                due = name, f"log {places[name]}", f"log {place}"
    assert shared_id([(f"log {place}", SampleIds.of(ids)) for place, ids in enumerate(shards)]) == due


@pytest.mark.parametrize(("one", "other"), [([-1], [-2]), ([1], ["1"])])
def test_different_ids_are_not_taken_for_one(one: list[int | str], other: list[int | str]) -> None:
    # hash(-1) == hash(-2)
    assert shared_id([("a", SampleIds.of(one)), ("b", SampleIds.of(other))]) is None


def test_a_thousand_ids_of_one_form_take_less_than_eight_bytes_each() -> None:
    assert len(SampleIds.of(f"row-{k:09d}" for k in range(1000)).packed) < 8 * 1000
