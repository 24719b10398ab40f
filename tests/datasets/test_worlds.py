"""Synthetic rows for the tasks: how many, which, and what a log says of them."""

import pytest

from refusalbench_tasks.datasets.worlds import (
    RowArguments,
    synthetic_rows,
    worlds_rows,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.quad_rows import quad_rows


def test_a_run_has_its_rows_and_a_log_what_makes_them_again() -> None:
    args = RowArguments(data="worlds", n=8, seed=5, domains="ferries,halls")
    rows, about = worlds_rows(args, "context")
    due = list(quad_rows(5, 0, 8, ("halls", "ferries")))
    assert [row.values for row in rows] == due
    assert about == {
        "data": "worlds",
        "worlds": due[0]["id"].split(".")[0],
        "seed": 5,
        "n": 8,
        "domains": ["halls", "ferries"],
        "licence": "CC0-1.0",
    }


def test_a_range_of_rows_is_that_of_the_whole() -> None:
    whole = list(synthetic_rows("sources", 3, 0, 8).rows)
    assert list(synthetic_rows("sources", 3, 4, 8).rows) == whole[4:]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"data": "sample", "n": 8}, "n: only data=worlds is made to measure"),
        ({"data": "worlds", "n": 22}, "n: rows are made in fours, .*use 24"),
    ],
)
def test_a_size_that_cannot_be_had_says_what_to_use(
    arguments: dict[str, object], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        RowArguments(**arguments)


def test_a_domain_without_sources_is_named() -> None:
    with pytest.raises(DataError, match="unknown 'opinions'; known: halls"):
        synthetic_rows("sources", 0, 0, 4, ("opinions",))
