"""Groups take turns: nothing is lost, each keeps its order, and prefixes are balanced."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.draw import take_turns

GROUPS = st.lists(st.lists(st.integers() | st.none(), max_size=5), max_size=5)


def test_worked_by_hand() -> None:
    assert take_turns(["abc", "", "d", "ef"]) == ["a", "d", "e", "b", "f", "c"]
    assert take_turns([]) == []


@given(GROUPS)
def test_every_entry_is_used_once_and_each_group_keeps_its_order(groups: list[list[int | None]]) -> None:
    tagged = [[(number, place) for place in range(len(group))] for number, group in enumerate(groups)]
    turns = take_turns(tagged)
    assert sorted(turns) == sorted(chain.from_iterable(tagged))
    assert all([entry for entry in turns if entry[0] == number] == group for number, group in enumerate(tagged))


@given(GROUPS, st.integers(0, 25))
def test_a_prefix_holds_as_much_of_each_group_as_it_can(groups: list[list[int | None]], size: int) -> None:
    turns = take_turns([[number] * len(group) for number, group in enumerate(groups)])[:size]
    counts = [turns.count(number) for number in range(len(groups))]
    for count, group in zip(counts, groups, strict=True):
        assert count == len(group) or count >= max(counts) - 1
