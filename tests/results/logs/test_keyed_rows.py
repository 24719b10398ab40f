"""Rows by sample: a mapping as any other, in little memory."""

import math
import pickle
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.results.logs.keyed_rows import KeyedRows, SameValues, keyed, kinds_of, rows_where


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 2), st.integers())))
def test_it_is_the_dictionary_of_its_rows(given_rows: list[tuple[str, int, int]]) -> None:
    due = {(name, epoch): row for name, epoch, row in given_rows}
    rows = KeyedRows(given_rows)
    assert (list(rows), list(rows.values()), list(rows.items())) == (list(due), list(due.values()), list(due.items()))
    assert (len(rows), dict(rows)) == (len(due), due)
    assert all(rows[key] == due[key] and key in rows for key in due)
    assert ("e", 1) not in rows
    assert dict(rows_where(rows, lambda row: row > 0)) == dict(rows_where(due, lambda row: row > 0))
    assert [rows.key(place) for place in rows.order.tolist()] == sorted(due)
    assert all(rows.kind(key) == due[key] for key in due)
    assert list(keyed(due).items()) == list(due.items())
    assert list(kinds_of(rows)) == list(kinds_of(due)) == list(due.values())
    assert dict(pickle.loads(pickle.dumps(rows))) == due


def test_all_rows_chosen_are_the_rows_themselves() -> None:
    rows = KeyedRows([("a", 1, 5), ("b", 1, 6)])
    assert rows.where(lambda row: row > 0) is rows
    with pytest.raises(KeyError):
        rows[("a", 2)]


def test_equal_values_are_held_once_and_nothing_is_changed() -> None:
    same = SameValues()
    first = same.facts(
        {"item_id": "".join(["row", "-1"]), "source_id": "".join(["s", "1"]), "knobs": {"a": 1}}, "row-1"
    )
    second = same.facts({"item_id": "row-2", "source_id": "".join(["s", "1"]), "knobs": {}}, "row-2")
    assert (first, second["source_id"]) == ({"item_id": "row-1", "source_id": "s1", "knobs": {"a": 1}}, "s1")
    assert first["source_id"] is second["source_id"]
    one, other = same.numbers({"right": 1.0, "grade": 2.0}), same.numbers({"right": 1.0, "grade": 2.0})
    assert one is other
    assert same.numbers({"grade": 2.0, "right": 1.0}) is not one


def test_what_is_not_known_is_one_nan_so_that_equal_scores_are_one_object() -> None:
    same = SameValues()
    first = same.numbers({"right": float("nan"), "grade": None, "refused": 1.0})
    assert first is same.numbers({"right": math.inf - math.inf, "grade": float("nan"), "refused": 1.0})
    assert (first["right"], first["grade"], first["refused"]) == (math.nan, math.nan, 1.0)
    assert first is not same.numbers({"right": 0.0, "grade": None, "refused": 1.0})


def test_a_row_takes_fewer_bytes_than_in_a_dictionary() -> None:
    n = 20_000  # what other threads allocate meanwhile is little beside it
    names = [f"row-{k}" for k in range(n)]

    def held(make: object) -> int:
        tracemalloc.start()
        try:
            kept = make()  # type: ignore[operator]
            assert len(kept) == n
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    plain = held(lambda: {(name, 1): None for name in names})
    assert held(lambda: KeyedRows((name, 1, None) for name in names)) < plain / 3
