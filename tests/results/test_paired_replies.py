"""Which replies of two runs stand beside each other."""

import pytest

from refusalbench_tasks.errors import DataError
from tests.results.paired_runs import one, replies


def test_what_is_undecided_or_in_one_run_only_is_left_out_and_counted() -> None:
    found = one(
        replies([True, None, True, True]), replies([False, False, None, True], "b")
    )
    counts = found["made"].counts
    assert (counts["n"], counts["undecided"], found["right"].n) == (2, 2, 2)
    assert (found["answer_accuracy"].a, found["answer_accuracy"].b) == (1.0, 0.5)
    made = one(replies([True] * 6), replies([True] * 4, "b"))["made"].counts
    assert (made["n"], made["A only"], made["B only"]) == (4, 2, 0)
    with pytest.raises(DataError, match="no sample that is decided in both"):
        one(replies([True, None]), replies([None, True], "b"))
