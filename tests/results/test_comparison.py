"""Two runs sample by sample: differences by hand, what is left out, and tests that take
questions for units.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from inspect_ai.log import EvalSample

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.comparison import MDE_Z, compare_pairs
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import NAN, hedging_sample, row, run

CLEAR = (PerturbationClass.AMBIGUITY, Intensity.LOW)


def rows(
    right: Sequence[bool | None], start: str = "", **facts: Any
) -> list[EvalSample]:
    """Return answerable rows, two per question, with the given correctness (None is
    unscored).
    """
    return [
        row(
            f"{start}{k:03d}",
            None if ok is None else Label.ANSWER,
            *CLEAR,
            bool(ok),
            source_id=f"q{k // 2}",
            **facts,
        )
        for k, ok in enumerate(right)
    ]


def replies(right: Sequence[bool | None], model: str = "m", **changes: Any) -> Run:
    return run(rows(right), model, **changes)


def one(a: Run, b: Run, **options: Any) -> dict[str, Any]:
    (made,) = compare_pairs([(a, b)], **options)
    return (
        {d.metric: d for d in made.differences}
        | {d.name: d for d in made.tests}
        | {"made": made}
    )


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


def test_different_data_and_tasks_are_refused_unless_told() -> None:
    a = replies([True] * 12)
    b = replies([False] * 12, "b", selected_fingerprint="other")
    with pytest.raises(DataError, match=r"not those of m.eval .*--any-data"):
        one(a, b)
    assert one(a, b, any_data=True)["answer_accuracy"].difference.value == -1.0
    with pytest.raises(DataError, match="a run of garage"):
        one(a, replies([True], task="garage"))


def test_ungraded_attempts_make_no_difference_between_equal_models() -> None:
    def model(
        refused: range,
        ungraded: range,
        name: str,
        graders: tuple[str, ...] = ("judge",),
    ) -> Run:
        made = [
            row(f"{k:03d}", Label.MISSING if k in refused else Label.ANSWER, *CLEAR)
            for k in range(100)
        ]
        of = run(made, name)
        lost = [k in ungraded and k not in refused for k in range(100)]
        return replace(
            of,
            replies=of.replies.assign(
                right=of.replies["right"].mask(lost), graders=[graders] * 100
            ),
        )

    # both refuse 20 of 100 answerable rows; some of A's attempts are ungraded
    found = one(
        model(range(20), range(60, 100), "a"), model(range(20, 40), range(0), "b")
    )
    assert found["false_refusal_rate"].a == found["false_refusal_rate"].b == 0.2
    assert (found["refused"].only_a, found["refused"].only_b, found["refused"].n) == (
        20,
        20,
        100,
    )
    # graded in both: 20 refused by A only, 20 refused by B only, 20 by none
    assert (found["answer_accuracy"].a, found["answer_accuracy"].b) == (
        40 / 60,
        40 / 60,
    )
    few = one(
        model(range(20), range(28, 100), "a"), model(range(20, 40), range(0), "b")
    )
    assert math.isnan(few["answer_accuracy"].difference.value)
    assert few["false_refusal_rate"].difference.value == 0
    # without a grader only the plainly right are graded: no accuracy from those alone
    found = one(
        model(range(20), range(60, 100), "a", ()), model(range(20, 40), range(0), "b")
    )
    assert np.isnan(found["answer_accuracy"].a)
    assert found["false_refusal_rate"].a == 0.2


def test_controls_are_compared_beside_the_rest() -> None:
    def with_controls(main_rows: bool, right: bool, name: str) -> Run:
        clean = rows([k % 2 == 0 or right for k in range(10)], "c", control=True)
        return run([*rows([main_rows] * 12), *clean], name)

    found = one(with_controls(True, False, "a"), with_controls(False, True, "b"))
    assert found["answer_accuracy"].difference.value == -1
    assert found["control_answer_accuracy"].difference.value == 0.5


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


def test_without_codes_in_one_run_categories_are_not_compared() -> None:
    wrong_code = [row(str(k), Label.AMBIGUOUS) for k in range(12)]
    a = run(wrong_code)
    b = run(wrong_code, "b")
    b = replace(b, replies=b.replies.assign(codes=False))
    found = one(a, b)
    assert "category_accuracy" not in found
    assert "any refusal that is due counts as right" in found["made"].note
    assert found["right"].only_a == found["right"].only_b == 0


def pairs(
    drop: float, hedges: float = 0.0, n: int = 10, **numbers: float
) -> list[EvalSample]:
    """Return both arms of n questions: confidence falls by `drop`, the ambiguous arm
    has `hedges` in ten words.
    """
    made = []
    for k in range(n):
        fallen = {"confidence": 0.9 - drop - 0.01 * (k % 3), "hedges": hedges}
        made.append(hedging_sample(f"q{k}", "clear", **({"confidence": 0.9} | numbers)))
        made.append(hedging_sample(f"q{k}", "ambiguous", **(fallen | numbers)))
    return made


def of_bluff(a: list[EvalSample], b: list[EvalSample]) -> dict[str, Any]:
    return one(run(a, "a", "bluff"), run(b, "b", "bluff"))


def test_paired_measures_differ_by_what_was_built_in() -> None:
    got = of_bluff(pairs(0.1), pairs(0.5, hedges=2.0))
    assert got["confidence_drop"].difference.value == pytest.approx(0.4)
    assert got["hedging_difference"].difference.value == pytest.approx(0.2)
    assert got["asi"].difference.value == pytest.approx((0.4 + 0.2) / 2)
    assert (got["made"].counts["n"], got["made"].counts["questions"]) == (20, 10)


def test_an_answer_ungraded_in_one_run_is_graded_in_none() -> None:
    a = pairs(0.1)
    b = pairs(0.1)
    a[0] = hedging_sample("q0", "clear", correctness=0.0, confidence=0.9)
    b[0] = hedging_sample("q0", "clear", correctness=NAN, confidence=0.9)
    got = of_bluff(a, b)
    assert got["answer_correctness"].a == got["answer_correctness"].b == 1.0
    assert got["right"].n == 19


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
