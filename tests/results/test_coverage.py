"""Parts of which more or less is decided can't be compared by their values."""

import math

from refusalbench_tasks.results.coverage import coverage, is_uneven, uneven_note
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, run


def test_what_is_no_reply_is_known_and_what_is_undecided_is_not() -> None:
    made = run(
        [
            row("a", Label.MISSING),
            row("b", None, reason="no_response"),
            row("c", None),
            row("d", None, reason="grader_failed"),
        ]
    )
    assert coverage(made.replies) == 0.5
    assert math.isnan(coverage(made.replies[:0]))


def test_parts_are_uneven_if_more_than_a_twentieth_lies_between_them() -> None:
    assert not is_uneven([0.95, 1.0])
    assert is_uneven([0.94, 1.0])
    assert not is_uneven([0.2])
    assert not is_uneven([])
    assert not is_uneven([math.nan, 0.2])
    assert uneven_note([1.0, 1.0]) == ""
    assert uneven_note([0.5, 1.0, 0.75]).endswith("decided (50 to 100 %)")
