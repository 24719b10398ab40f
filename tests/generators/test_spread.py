"""Spreading levers over base questions."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.generators.spread import spread


def test_a_base_takes_the_lever_that_others_leave_it() -> None:
    # the first base fits only lever 0, so the second takes 1 although it fits 0 too; nothing fits the third
    assert spread([[True, False], [True, True], [False, False]]) == [0, 1, None]


def test_three_bases_that_fit_two_levers_use_one_of_them_twice() -> None:
    assert sorted(Counter(spread([[True, True]] * 3)).values()) == [1, 2]


def test_a_lever_that_fits_one_base_only_is_used_there() -> None:
    assert spread([[True, True, False], [True, True, False], [True, False, True]]) in ([0, 1, 2], [1, 0, 2])


def test_nothing_to_spread() -> None:
    assert spread([]) == []
    assert spread([[False], [False]]) == [None, None]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=5))
def test_no_other_assignment_is_more_even(fits: list[list[bool]]) -> None:
    found = spread(fits)
    assert all((at is None) == (not any(row)) and (at is None or row[at]) for row, at in zip(fits, found, strict=True))
    choices: list[list[int | None]] = [[at for at, fit in enumerate(row) if fit] or [None] for row in fits]
    assert _cost(found) == min(_cost(other) for other in product(*choices))


def _cost(chosen: Sequence[int | None]) -> int:
    uses = Counter(at for at in chosen if at is not None)
    return sum(count * (count + 1) // 2 for count in uses.values())
