"""Two runs of `nq`: which rows make a difference, and which are left out."""

import math
from dataclasses import replace

import numpy as np

from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.paired_runs import CLEAR, one, rows
from tests.results.synthetic import row, run


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


def test_without_codes_in_one_run_categories_are_not_compared() -> None:
    wrong_code = [row(str(k), Label.AMBIGUOUS) for k in range(12)]
    a = run(wrong_code)
    b = run(wrong_code, "b")
    b = replace(b, replies=b.replies.assign(codes=False))
    found = one(a, b)
    assert "category_accuracy" not in found
    assert "any refusal that is due counts as right" in found["made"].note
    assert found["right"].only_a == found["right"].only_b == 0


def test_questions_back_are_compared_where_both_runs_tell_them() -> None:
    ambiguous = (PerturbationClass.AMBIGUITY, Intensity.HIGH)

    def asking(asks_back: list[float], name: str) -> Run:
        samples = [
            row(f"{k:03d}", Label.OTHER, *ambiguous, numbers={"asks_back": asks})
            for k, asks in enumerate(asks_back)
        ]
        return run(samples, name)

    nan = math.nan
    found = one(asking([1, 0, 0, nan] * 6, "a"), asking([1, 1, nan, 1] * 6, "b"))
    rate = found["clarification_rate"]
    assert (rate.a, rate.b, rate.n, rate.n_b) == (0.5, 1, 12, 12)
    silent = one(asking([nan] * 24, "a"), asking([1] * 24, "b"))
    assert "clarification_rate" not in silent
    assert "clarification_rate" not in one(asking([0] * 9, "a"), asking([0] * 9, "b"))
