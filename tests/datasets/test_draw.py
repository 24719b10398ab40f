"""Groups take turns, and parts of a run are whole base questions, disjoint and
complete, alike in size and kind.
"""

from collections import Counter
from collections.abc import Iterable
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.draw import Shard, shard_entries, shard_of, take_turns
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.levers import load_levers
from refusalbench_tasks.generators.plan import make_plan, shard_plan
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq

QUESTIONS = st.dictionaries(
    st.text(max_size=4), st.sampled_from("abc"), min_size=1, max_size=40
)


@pytest.mark.parametrize(
    "wrong", ["0/8", "9/8", "1", "1/0", "a/b", "-1/4", "1/2/3", "", "1.0/2", 3]
)
def test_another_form_is_an_error_that_shows_the_right_one(wrong: str) -> None:
    with pytest.raises(DataError, match="shard: expected i/n"):
        shard_of(wrong)


def dealt(strata: Iterable[tuple[str, str]], of: int, seed: int) -> dict[str, int]:
    """Return the part of each question, of entries that are a
    question and its stratum.
    """
    entries = list(strata)
    parts = min(of, len(entries))
    return {
        name: number
        for number in range(1, parts + 1)
        for name, _ in shard_entries(
            entries, Shard(number, of), seed, itemgetter(0), itemgetter(1)
        )
    }


@given(QUESTIONS, st.integers(1, 9), st.integers(0, 3))
def test_parts_are_even_in_all_and_in_each_stratum(
    strata: dict[str, str], of: int, seed: int
) -> None:
    where = dealt(strata.items(), of, seed)
    assert set(where) == set(strata)
    assert set(where.values()) <= set(range(1, of + 1))
    for names in (
        set(strata),
        *({n for n, s in strata.items() if s == one} for one in set(strata.values())),
    ):
        sizes = Counter(where[name] for name in names)
        counts = [sizes[number] for number in range(1, of + 1)]
        assert max(counts) - min(counts) <= 1


def test_more_parts_than_questions_leave_some_empty() -> None:
    entries = [("q", "x"), ("q", "y")]
    with pytest.raises(
        DataError, match=r"shard 2/2: there are only 1 base questions.*at most 1 shards"
    ):
        shard_entries(entries, Shard(2, 2), 0, itemgetter(0), itemgetter(1))


@pytest.mark.parametrize(
    "task",
    [
        lambda shard: nq(data="sample", judge="offline", controls="add", shard=shard),
        lambda shard: garage(data="sample", judge="offline", shard=shard),
        lambda shard: bluff(data="sample", judge="offline", ptrue="none", shard=shard),
        lambda shard: nq(data="worlds", n=48, judge="offline", shard=shard),
    ],
    ids=["nq", "garage", "bluff", "worlds"],
)
def test_the_shards_of_a_task_are_the_task(task) -> None:  # type: ignore[no-untyped-def]
    whole = task(None)
    assert "shard" not in whole.metadata
    shards = [task(f"{number}/3") for number in (1, 2, 3)]
    found = [sample.id for shard in shards for sample in shard.dataset]
    assert sorted(found) == sorted(sample.id for sample in whole.dataset)
    sources = [
        {sample.metadata["source_id"] for sample in shard.dataset} for shard in shards
    ]
    assert (
        not sources[0] & sources[1] | sources[1] & sources[2] | sources[0] & sources[2]
    )
    sizes = [len(shard.dataset) for shard in shards]
    assert max(sizes) - min(sizes) <= len(whole.dataset) / len(set.union(*sources)) * 3
    for number, shard in enumerate(shards, 1):
        about = shard.metadata
        assert (about["shard"], about["of"], about["whole_rows"]) == (
            number,
            3,
            len(whole.dataset),
        )
    assert len({shard.metadata["whole_fingerprint"] for shard in shards}) == 1
    assert len({shard.metadata["selected_fingerprint"] for shard in shards}) == 3


def test_the_shards_of_a_plan_are_the_plan_and_know_their_part() -> None:
    plan = make_plan(curate("nq_sample").items, load_levers(None), "balanced", 0)
    parts = [shard_plan(plan, Shard(number, 2), 0) for number in (1, 2)]
    assert sorted(slot.slot_id for part in parts for slot in part) == sorted(
        slot.slot_id for slot in plan
    )
    assert [{(slot.shard, slot.planned) for slot in part} for part in parts] == [
        {(1, len(parts[0]))},
        {(2, len(parts[1]))},
    ]
    assert {slot.planned for slot in shard_plan(plan, None, 0)} == {len(plan)}


GROUPS = st.lists(st.lists(st.integers() | st.none(), max_size=5), max_size=5)


def test_worked_by_hand() -> None:
    assert take_turns(["abc", "", "d", "ef"]) == ["a", "d", "e", "b", "f", "c"]
    assert take_turns([]) == []


@given(GROUPS, st.integers(0, 25))
def test_a_prefix_holds_as_much_of_each_group_as_it_can(
    groups: list[list[int | None]], size: int
) -> None:
    turns = take_turns([[number] * len(group) for number, group in enumerate(groups)])[
        :size
    ]
    counts = [turns.count(number) for number in range(len(groups))]
    for count, group in zip(counts, groups, strict=True):
        assert count == len(group) or count >= max(counts) - 1
