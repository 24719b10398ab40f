"""The metrics of App. D, worked by hand."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

from refusalbench_tasks.metrics.refusal import (
    by_group,
    every_number,
    logged_numbers,
    values,
)
from refusalbench_tasks.metrics.refusal_metrics import RATES, main_metrics
from tests.metrics.refusal_rates import FAILED
from tests.metrics.replies import A, C, M, X, replies, reply, some

BY_QUESTION = [
    (A, A, True, "a"),
    (A, A, False, "b"),
    (A, M, False, "b"),
    (A, A, None, "c"),
    (M, M, None, "a"),
    (M, C, None, "b"),
    (C, A, None, "b"),
    (C, FAILED, None, "c"),
]


def test_standard_errors_are_of_questions_unless_the_run_was_told_rows() -> None:
    # false refusals 1 of 4; without question a: 1/3, without b: 0/2, without c: 1/3
    by_question = values(some(BY_QUESTION), 50)["false_refusal_rate"]
    assert (by_question.value, by_question.n, by_question.units) == (0.25, 4, 3)
    assert by_question.stderr == pytest.approx(2 / 9)
    # without one of the four answerable rows: 0/3 once, 1/3 three times
    by_row = values(some(BY_QUESTION).assign(cluster_by="row"), 50)[
        "false_refusal_rate"
    ]
    assert by_row.stderr == pytest.approx(math.sqrt(3 / 4 * (1 / 16 + 3 / 144)))
    assert by_row.units == 4


def test_there_is_no_headline_where_less_than_half_of_the_rows_is_known() -> None:
    half = [(A, A, True, "a"), (M, M, None, "b"), (A, FAILED), (M, FAILED)]
    assert values(some(half), 10)["calibrated_refusal_score"].value == 1
    # an attempt that nobody graded
    less = values(some([*half, (A, A, None)]), 10)["calibrated_refusal_score"]
    assert math.isnan(less.value)
    assert math.isnan(less.stderr)
    assert math.isnan(less.low)
    assert less.n == 2
    without_codes = some([*half, (M, FAILED)]).assign(codes=False)
    assert math.isnan(values(without_codes, 10)["detection_f1"].value)


def test_answer_accuracy_needs_grades_of_half_of_the_answerable_rows() -> None:
    refusals = [(A, M), (M, M), (M, M), (M, M)]
    found = values(graded_by_a_model([*refusals, (A, A, None), (A, A, None)]), 10)
    assert math.isnan(found["answer_accuracy"].value)
    assert math.isnan(found["calibrated_refusal_score"].value)
    assert found["answer_accuracy"].n == 1
    assert found["answer_accuracy_coverage"].value == pytest.approx(1 / 3)
    assert found["false_refusal_rate"].value == pytest.approx(1 / 3)
    assert (
        values(graded_by_a_model([*refusals, (A, A, None)]), 10)[
            "answer_accuracy"
        ].value
        == 0
    )


def graded_by_a_model(rows: Sequence[tuple[Any, ...]]) -> Any:
    table = some(rows)
    return table.assign(graders=[("grader",)] * len(table))


def test_without_a_grader_ungraded_answers_have_no_answer_accuracy() -> None:
    """The plainly right answers are graded then, and they alone: 1.000 would be so by
    construction.
    """
    rows = [(A, A, True), (A, A, True), (A, M), (M, M)]
    whole = values(some(rows), 10)
    assert whole["answer_accuracy"].value == pytest.approx(2 / 3)
    some_left = values(some([*rows, (A, A, None)]), 10)
    assert math.isnan(some_left["answer_accuracy"].value)
    assert math.isnan(some_left["calibrated_refusal_score"].value)
    assert some_left["answer_accuracy"].n == 3
    assert values(graded_by_a_model([*rows, (A, A, None)]), 10)[
        "answer_accuracy"
    ].value == pytest.approx(2 / 3)


def controls(*rows: tuple[Any, ...]) -> Any:
    return some(rows).assign(control=True)


def test_controls_are_the_answerable_rows_where_there_are_no_others() -> None:
    always_refuses = pd.concat([some([(M, M), (C, M)]), controls((A, M), (A, M))])
    m = values(always_refuses, 0)
    assert m["false_refusal_rate"].value == 1
    assert m["detection_f1"].value == pytest.approx(2 / 3)
    assert m["calibrated_refusal_score"].value == pytest.approx((0 + 1 / 2) / 2)
    # with an answerable row among the others controls are in no rate of the main rows
    beside = values(pd.concat([some([(M, M), (A, A, True)]), controls((A, M))]), 0)
    assert (beside["false_refusal_rate"].value, beside["false_refusal_rate"].n) == (
        0,
        1,
    )


def test_a_row_that_ended_in_an_error_is_in_no_rate() -> None:
    table = some(BY_QUESTION)
    lost = table[:1].assign(outcome="error", cluster="z")
    assert repr(values(pd.concat([table, lost]), 20)) == repr(values(table, 20))


def test_without_codes_any_refusal_counts_and_no_rate_is_about_codes() -> None:
    table = some([(A, A, True), (M, X), (M, A)]).assign(codes=False)
    m = values(table, resamples=0)
    assert list(m)[:2] == ["false_refusal_rate", "missed_refusal_rate"]
    assert m["detection_f1"].value == pytest.approx(2 / 3)
    assert not [name for name in m if RATES[name].coded]


TABLE = some(
    [
        (A, A, True, "a"),
        (A, A, False, "b"),
        (A, M, None, "b"),
        (A, "truncated", None, "c"),
        (M, M, None, "a"),
        (M, C, None, "b"),
        (C, A, None, "b"),
        (C, "grader_failed", None, "c"),
    ]
)
CONTROLS = some(
    [(A, A, True, "a"), (A, M, None, "b"), (A, "grader_failed", None, "d")]
).assign(control=True)
EVERYTHING = pd.concat([TABLE, CONTROLS], ignore_index=True)


def test_controls_have_numbers_of_their_own_by_the_papers_formulas() -> None:
    for protocol in ("paper", "official-code"):
        m = every_number(EVERYTHING.assign(protocol=protocol), 0)
        assert (m["control_answer_accuracy"].value, m["control_answer_accuracy"].n) == (
            1 / 2,
            2,
        )
        assert (
            m["control_false_refusal_rate"].value,
            m["control_false_refusal_rate"].n,
        ) == (1 / 2, 2)
    assert not [name for name in every_number(TABLE, 0) if name.startswith("control_")]


def test_a_log_holds_the_main_metrics_each_with_its_standard_error() -> None:
    m = logged_numbers(EVERYTHING)
    due = values(EVERYTHING, 0)
    for name in main_metrics(EVERYTHING):
        assert (m[name], m[f"{name}_stderr"]) == pytest.approx(
            (due[name].value, due[name].stderr), nan_ok=True
        )
    assert m["stderr"] == due["calibrated_refusal_score"].stderr
    assert (m["no_reply_rate"], m["unscored_rate"]) == (1 / 8, 1 / 8)
    assert "refusal_rate" not in m


def test_a_log_holds_at_most_forty_numbers_whatever_a_run_measures() -> None:
    noted: dict[str, Any] = {
        "level": "CONFIDENT",
        "confidence_asked": True,
        "retrieved_k": 3,
        "gold_retrieved": True,
    }
    facts = {"pair": "p", "accepted_alternatives": []}
    numbers = {"eligible": 1.0, "factual_all": 1.0}
    everything = replies(
        reply(A, A, True, numbers=numbers, facts=facts, **noted),
        reply(
            M,
            X,
            numbers=numbers,
            facts=facts | {"accepted_alternatives": [X.value]},
            **noted,
        ),
        reply(A, A, True, numbers=numbers, facts={"control": True}),
    )
    m = logged_numbers(everything)
    assert {
        "ece",
        "answer_quality",
        "hit_at_k",
        "pair_consistency",
        "control_answer_accuracy",
    } <= set(m)
    assert len(m) <= 40


def test_groups_have_rates_with_their_n_and_errors() -> None:
    table = TABLE.assign(intensity=["LOW"] * 4 + ["MEDIUM"] * 2 + ["HIGH", ""])
    found = by_group(table, "intensity", resamples=50)
    assert set(found) == {"LOW", "MEDIUM", "HIGH"}
    low = found["LOW"]["answer_accuracy"]
    assert (low.value, low.n, low.units) == (1 / 4, 4, 3)
    assert low.stderr == pytest.approx(values(table[:4], 0)["answer_accuracy"].stderr)
    assert math.isnan(found["LOW"]["refusal_accuracy"].value)
    assert (
        found["MEDIUM"]["refusal_accuracy"].value,
        found["HIGH"]["refusal_accuracy"].value,
    ) == (1 / 2, 0)
