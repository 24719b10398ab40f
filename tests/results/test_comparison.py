"""Two runs sample by sample: differences by hand, what is left out, and tests that take
questions for units.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.comparison import compare_pairs
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.proportion import MDE_Z
from refusalbench_tasks.taxonomy import Label
from tests.results.paired_runs import CLEAR, one, pairs, replies
from tests.results.synthetic import row, run


def told(of: Run, cluster: str) -> Run:
    return replace(
        of, replies=of.replies.assign(cluster_by=cluster, item=of.replies["sample_id"])
    )


def test_a_known_difference() -> None:
    found = one(
        replies([True] * 6 + [False] * 14), replies([True] * 12 + [False] * 8, "b")
    )
    accuracy = found["answer_accuracy"]
    assert (accuracy.a, accuracy.b, accuracy.difference.value) == (
        0.3,
        0.6,
        pytest.approx(0.3),
    )
    assert 0 < accuracy.difference.low < 0.3 < accuracy.difference.high
    assert (found["right"].only_a, found["right"].only_b) == (0, 6)
    assert found["right"].p == pytest.approx(2 / 2**6)
    assert math.isnan(found["refusal_accuracy"].difference.value)
    assert found["made"].counts["questions"] == 10


def test_holm_adjusts_the_p_by_question_over_all_comparisons() -> None:
    a = replies([True] * 20)
    pairs = [(a, replies([False] * 20, "b")), (a, replies([True] * 20, "c"))]
    first, second = compare_pairs(pairs)
    assert first.tests[1].p_holm == pytest.approx(4 * first.tests[1].p_question)
    assert first.tests[1].p_question > 10 * first.tests[1].p
    assert second.tests[1].p_holm == 1.0


def test_the_minimum_detectable_difference_follows_from_the_clustered_error() -> None:
    # per question the difference is 0 or 1 in both of its rows: the spread is that of
    # ten questions, not of twenty rows
    a = replies([False] * 20)
    b = replies([True, True] * 5 + [False] * 10, "b")
    expected = MDE_Z * np.std([1] * 5 + [0] * 5, ddof=1) / math.sqrt(10)
    assert one(a, b)["answer_accuracy"].detectable == pytest.approx(expected)


def test_equal_runs_do_not_differ_and_their_ci_is_no_point() -> None:
    a = replies([True, False] * 20)
    gap = one(a, a)["answer_accuracy"].difference
    # 0 of 20 questions changed: 3.8415 / 23.8415
    assert (gap.value, gap.low, gap.high) == (
        0,
        pytest.approx(-0.16113, abs=1e-5),
        pytest.approx(0.16113, abs=1e-5),
    )


def test_different_data_and_tasks_are_refused_unless_told() -> None:
    a = replies([True] * 12)
    b = replies([False] * 12, "b", selected_fingerprint="other")
    with pytest.raises(DataError, match=r"not those of m.eval .*--any-data"):
        one(a, b)
    assert one(a, b, any_data=True)["answer_accuracy"].difference.value == -1.0
    with pytest.raises(DataError, match="a run of garage"):
        one(a, replies([True], task="garage"))


def test_rows_are_independent_where_both_runs_were_told_so() -> None:
    # two rows a question, and one question turns from wrong to right
    a = replies([True] * 6 + [False] * 2)
    b = replies([True] * 8, "b")
    asked = one(a, b)
    by_row = one(told(a, "row"), told(b, "row"))
    assert asked["right"].p_question == 1.0
    assert by_row["right"].p_question == pytest.approx(0.5, abs=0.05)
    assert asked["answer_accuracy"].detectable == pytest.approx(
        MDE_Z * math.sqrt(0.25 * 0.75 / 3)
    )
    assert by_row["answer_accuracy"].detectable == pytest.approx(
        MDE_Z * math.sqrt(0.25 * 0.75 / 7)
    )
    assert one(told(a, "row"), b)["right"] == asked["right"]


def test_copies_and_epochs_of_a_question_make_nothing_significant() -> None:
    def same(right: bool, name: str) -> Run:
        made = []
        for q in range(5):
            for epoch in range(1, 11):
                reply = row(f"q{q}", Label.ANSWER, *CLEAR, right, source_id=f"q{q}")
                reply.epoch = epoch
                made.append(reply)
        return run(made, name)

    found = one(same(False, "a"), same(True, "b"))["right"]
    assert found.p < 1e-9
    # 2 of the 2^5 ways to flip five questions are as far out
    assert found.p_question == pytest.approx(2 / 2**5, abs=0.03)


def test_other_kinds_of_runs_and_other_lists_of_hedges_are_refused() -> None:
    bluff = run(pairs(0.1), "a", "bluff")
    with pytest.raises(DataError, match="a run of nq, but"):
        one(bluff, replies([True]))
    other = replace(bluff, replies=bluff.replies.assign(lexicon="v2 (89abcdef)"))
    with pytest.raises(
        DataError,
        match=r"by v2 \(89abcdef\), those of .* by an unknown list; score both again",
    ):
        one(bluff, other)
