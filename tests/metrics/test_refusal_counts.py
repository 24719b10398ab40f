"""Bounds of rates over what is not known."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.refusal_counts import count_sums, rate_bounds
from refusalbench_tasks.metrics.refusal_metrics import RATES
from tests.metrics.replies import A, M, X, some

Row = tuple[Any, ...]
KNOWN: list[Row] = [(A, A, True), (A, A, False), (A, M), (M, M), (M, X), (M, A)]
UNKNOWN: list[Row] = [(A, "grader_failed"), (M, "grader_failed")]


def test_bounds_by_hand() -> None:
    rows = [*KNOWN, *UNKNOWN, (A, A)]
    found = rate_bounds(some(rows))
    # 1 of 3 graded is right; an undecided row and an ungraded attempt are not known
    assert found["answer_accuracy"] == (1 / 5, 3 / 5)
    assert (found["refusal_accuracy"].low, found["refusal_accuracy"].high) == (
        1 / 4,
        2 / 4,
    )
    assert (found["false_refusal_rate"].low, found["false_refusal_rate"].high) == (
        1 / 5,
        2 / 5,
    )
    assert (found["missed_refusal_rate"].low, found["missed_refusal_rate"].high) == (
        1 / 4,
        2 / 4,
    )


@given(st.lists(st.sampled_from([*KNOWN, *UNKNOWN]), min_size=1, max_size=4))
def test_bounds_are_the_extremes_over_all_that_could_be(rows: list[Row]) -> None:
    found = rate_bounds(some(rows))
    worlds = [count_sums(some(world)) for world in _worlds(rows)]
    for name, bounds in found.items():
        values = [
            float(sums.values([RATES[name]], sums.rows.sum(axis=0))[0])
            for sums in worlds
        ]
        if not math.isnan(values[0]):
            assert (bounds.low, bounds.high) == (min(values), max(values))


def _worlds(rows: Sequence[Row]) -> list[list[Row]]:
    choices = [
        [row] if row in KNOWN else [known for known in KNOWN if known[0] is row[0]]
        for row in rows
    ]
    return [list(world) for world in itertools.product(*choices)]
