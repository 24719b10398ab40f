"""Rows of few kinds say what the same rows say one by one."""

import pickle
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.alike_rows import AlikeRows

ROWS = st.lists(st.sampled_from("abc"))


def of_kinds(rows: list[str]) -> AlikeRows[str]:
    """Return rows of kinds that need not occur, one of them twice."""
    kinds = ["unused", "c", "a", "b", "c"]
    return AlikeRows(kinds, np.array([kinds.index(row) for row in rows], dtype=np.int32))


@given(ROWS)
def test_they_are_the_rows(rows: list[str]) -> None:
    for found in (
        of_kinds(rows),
        AlikeRows(rows),
        AlikeRows(of_kinds(rows)),
        pickle.loads(pickle.dumps(of_kinds(rows))),
    ):
        assert list(found) == rows
        assert [found[place] for place in range(len(rows))] == rows
        assert (len(found), list(found[1:3])) == (len(rows), rows[1:3])


@given(ROWS)
def test_what_is_counted_by_kind_is_what_is_counted_by_row(rows: list[str]) -> None:
    found = of_kinds(rows)
    assert found.counted(str.upper) == Counter(map(str.upper, rows))
    assert list(found.counted(str)) == list(dict.fromkeys(rows))  # in the order of the first of each
    assert found.number(lambda row: row > "a") == sum(row > "a" for row in rows)
    assert found.mask(lambda row: row > "a").tolist() == [row > "a" for row in rows]
    names, places = found.grouped(str)
    assert (names, [names[place] for place in places]) == (sorted(set(rows)), rows)


@given(ROWS)
def test_a_part_has_its_own_counts(rows: list[str]) -> None:
    found = of_kinds(rows)
    chosen = found.mask(lambda row: row != "b")
    assert list(found.present) != [] or not rows
    assert found.where(chosen).counted(str) == Counter(row for row in rows if row != "b")
    assert (found.where(chosen) is found) == ("b" not in rows)
    assert list(found.at(np.arange(len(rows))[::-1])) == rows[::-1]


def test_sums_are_those_of_each_rows_vector() -> None:
    # a b c c b: places 0 0 1 1 1; vectors of unused, c, a, b, c
    found = of_kinds(["a", "b", "c", "c", "b"])
    vectors = np.array([[9.0, 9], [1, 0], [0, 10], [2, 1], [1, 0]])
    sums = found.sums(vectors, np.array([0, 0, 1, 1, 1]), 3)
    assert sums.tolist() == [[2, 11], [4, 1], [0, 0]]
    assert found.total(vectors).tolist() == [6, 12]
    assert found.total(vectors, np.array([True, False, True, False, False])).tolist() == [1, 10]


def test_other_kinds_stand_at_the_same_places() -> None:
    assert list(of_kinds(["a", "c"]).with_kinds(["", "C", "A", "B", ""])) == ["A", "C"]
