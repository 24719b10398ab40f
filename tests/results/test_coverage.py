"""Parts of which more or less is decided can't be compared by their values."""

import math

from refusalbench_tasks.results.coverage import (
    coverage,
    is_uneven,
    uneven_note,
    why_withheld,
)
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import NAN, row, run


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


def test_answers_that_could_not_be_graded_offline_are_counted_with_what_to_do() -> None:
    ungraded = row("b", Label.ANSWER, intensity=Intensity.LOW, numbers={"right": NAN})
    samples = [
        row("a", Label.ANSWER, intensity=Intensity.LOW),
        ungraded,
        row("c", Label.MISSING),
    ]
    view = RunView(run(samples))
    assert why_withheld(view, "answer_accuracy") == (
        "1 of 2 replies to answerable rows could be graded offline; add other wordings"
        " to `answers` or name a grader (`--model-role grader=…`)"
    )
    assert why_withheld(view, "false_refusal_rate") == ""
    del samples[1]
    assert why_withheld(RunView(run(samples)), "answer_accuracy") == ""
    undecided = [row(f"u{k}", None, intensity=Intensity.LOW) for k in range(3)]
    judged = row("a", Label.ANSWER, intensity=Intensity.LOW, decided_by="judge")
    with_grader = RunView(run([judged, *undecided]))
    assert why_withheld(with_grader, "answer_accuracy") == (
        "1 of 4 replies to answerable rows are graded; score the log again (`inspect"
        " score`)"
    )
