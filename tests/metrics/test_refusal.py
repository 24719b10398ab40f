"""The metrics of App. D, worked by hand."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.metric import quotient
from refusalbench_tasks.metrics.refusal import values
from refusalbench_tasks.metrics.refusal_counts import count_columns, count_sums
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.taxonomy import Label
from tests.metrics.replies import A, C, M, X, some

FAILED = "grader_failed"
CUT = "truncated"


def ns(
    rows: Sequence[tuple[Any, ...]], protocol: Protocol = "paper"
) -> dict[str, float]:
    sums = count_sums(some(rows).assign(protocol=protocol))
    sizes = sums.sizes([*RATES.values()], sums.rows.sum(axis=0))
    return dict(zip(RATES, sizes.tolist(), strict=True))


def measured(
    rows: Sequence[tuple[Any, ...]], protocol: Protocol = "paper"
) -> dict[str, float]:
    sums = count_sums(some(rows).assign(protocol=protocol))
    rates = sums.values([*RATES.values()], sums.rows.sum(axis=0))
    return dict(zip(RATES, rates.tolist(), strict=True))


HAND = [
    # five answerable rows: 2 right, 1 wrong, 1 refused, 1 undecided
    (A, A, True),
    (A, A, True),
    (A, A, False),
    (A, M),
    (A, FAILED),
    # seven unanswerable rows: 3 hits, 1 wrong code, 1 REFUSE_OTHER, 1 answered, 1
    # undecided
    (M, M),
    (M, M),
    (M, C),
    (C, C),
    (C, X),
    (C, A),
    (C, FAILED),
]


def test_the_hand_worked_example() -> None:
    m = measured(HAND)
    assert m["answer_accuracy"] == pytest.approx(2 / 4)
    assert m["refusal_accuracy"] == pytest.approx(3 / 6)
    assert m["calibrated_refusal_score"] == pytest.approx(0.5)
    assert m["false_refusal_rate"] == pytest.approx(1 / 4)
    assert m["missed_refusal_rate"] == pytest.approx(1 / 6)
    assert m["refusal_rate"] == pytest.approx(6 / 10)
    assert m["correct_refusal_rate"] == pytest.approx(5 / 6)
    assert m["detection_precision"] == pytest.approx(5 / 6)
    assert m["detection_recall"] == pytest.approx(5 / 6)
    assert m["detection_f1"] == pytest.approx(5 / 6)
    assert m["category_accuracy"] == pytest.approx(3 / 5)
    assert m["hierarchical_score"] == pytest.approx(5 / 6 * 3 / 5)
    assert m["macro_refusal_accuracy"] == pytest.approx((2 / 3 + 1 / 3) / 2)


def test_the_released_codes_denominators_hold_the_undecided_rows() -> None:
    m = measured(HAND, "official-code")
    assert m["answer_accuracy"] == pytest.approx(2 / 5)
    assert m["refusal_accuracy"] == pytest.approx(3 / 7)
    assert m["false_refusal_rate"] == pytest.approx(1 / 5)
    assert m["missed_refusal_rate"] == pytest.approx(1 / 7)
    assert m["refusal_rate"] == pytest.approx(5 / 7)
    assert measured([(A, A, True)], "official-code")["refusal_accuracy"] == 0


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_a_metric_is_a_row_over_the_counts(protocol: Protocol) -> None:
    missed = quotient("missed_share", "missed", "rows", better="lower")
    sums = count_sums(some(HAND).assign(protocol=protocol))
    rows = 10 if protocol == "paper" else 12
    totals = sums.rows.sum(axis=0)
    assert sums.values([missed], totals).tolist() == pytest.approx([1 / rows])
    assert sums.sizes([missed], totals).tolist() == [rows]


def test_a_reply_that_was_not_given_is_in_the_denominators_and_not_right() -> None:
    # the paper: "of all answerable instances"
    rows = [
        (A, A, True),
        (A, CUT),
        (A, "no_response"),
        (M, M),
        (M, "provider_refusal"),
        (M, A),
    ]
    m = measured(rows)
    n = ns(rows)
    assert [m["answer_accuracy"], n["answer_accuracy"]] == pytest.approx([1 / 3, 3])
    assert [m["refusal_accuracy"], n["refusal_accuracy"]] == pytest.approx([1 / 3, 3])
    # it is neither an answer nor a refusal
    assert (m["false_refusal_rate"], n["false_refusal_rate"]) == (0, 3)
    assert (m["missed_refusal_rate"], m["correct_refusal_rate"]) == pytest.approx(
        (1 / 3, 1 / 3)
    )
    assert [m["detection_precision"], m["detection_f1"]] == pytest.approx([1, 0.5])
    assert m["no_reply_rate"] == 3 / 6
    assert m["macro_refusal_accuracy"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_an_undecided_reply_is_a_reply_and_a_missing_recording_is_none(
    protocol: Protocol,
) -> None:
    rows = [(A, "no_response"), (A, A, True), (M, M), (M, "grader_failed")]
    rows += [(A, "undecided_offline"), (M, "not_in_file")]
    assert measured(rows, protocol)["no_reply_rate"] == 1 / 5
    assert ns(rows)["no_reply_rate"] == 5
    never = [(A, "not_in_file"), (M, "not_in_file")]
    assert np.isnan(measured(never)["no_reply_rate"])


def test_the_hybrid_score_weights_both_accuracies_by_the_rows_of_the_data() -> None:
    # answer accuracy 2/4 of five rows, refusal accuracy 3/6 of seven: the unscored ones
    # weigh as well
    assert measured(HAND)["hybrid_score"] == pytest.approx((5 * 2 / 4 + 7 * 3 / 6) / 12)
    lopsided = [(A, A, True), (A, FAILED), (A, FAILED), (M, X)]
    assert measured(lopsided)["hybrid_score"] == pytest.approx((3 * 1 + 1 * 0) / 4)
    # one side without rows leaves the other; one without known rows leaves nothing
    assert measured([(M, M), (M, X)])["hybrid_score"] == 0.5
    assert math.isnan(measured([(A, FAILED), (M, M)])["hybrid_score"])


def test_without_answerable_rows_nothing_is_detected() -> None:
    # what refuses everything would have an F1 of 1
    m = measured([(M, M), (C, C)])
    undefined = (
        "detection_f1",
        "detection_precision",
        "hierarchical_score",
        "calibrated_refusal_score",
    )
    assert all(math.isnan(m[name]) for name in (*undefined, "false_refusal_rate"))
    assert (m["refusal_accuracy"], m["category_accuracy"]) == (1, 1)


def test_undefined_is_nan_and_never_zero() -> None:
    assert all(math.isnan(v) for v in measured([]).values())
    only_unscored = measured([(A, FAILED), (M, FAILED)])
    assert (
        only_unscored.pop("unscored_rate"),
        only_unscored.pop("answer_accuracy_coverage"),
    ) == (1, 0)
    # both rows have a reply, though nobody knows what it says
    assert only_unscored.pop("no_reply_rate") == 0
    assert all(math.isnan(v) for v in only_unscored.values())
    always_answers = measured([(A, A, True), (M, A)])
    assert math.isnan(always_answers["detection_precision"])
    assert math.isnan(always_answers["category_accuracy"])
    assert always_answers["detection_f1"] == 0
    # F1 is 0, whatever the category accuracy would be
    assert always_answers["hierarchical_score"] == 0
    no_unanswerable = measured([(A, M)])
    assert math.isnan(no_unanswerable["detection_f1"])
    assert math.isnan(no_unanswerable["refusal_accuracy"])


rows_of = st.lists(
    st.tuples(
        st.sampled_from([x for x in Label if x is not X]),
        st.sampled_from([FAILED, CUT, *Label]),
        st.none() | st.booleans(),
    ),
    max_size=40,
)


@given(rows_of)
def test_rates_are_shares_and_agree_with_one_another(
    rows: list[tuple[Any, ...]],
) -> None:
    protocols: tuple[Protocol, ...] = ("paper", "official-code")
    for protocol in protocols:
        found = np.array(list(measured(rows, protocol).values()))
        assert np.all(np.isnan(found) | ((found >= 0) & (found <= 1 + 1e-12)))
    m = measured(rows)
    c = {name: count.sum() for name, count in count_columns(some(rows)).items()}
    if c["unanswerable"]:
        silent = (
            sum(said == CUT for gold, said, _ in rows if gold is not A)
            / c["unanswerable"]
        )
        assert m["missed_refusal_rate"] + m[
            "detection_recall"
        ] + silent == pytest.approx(1)
        assert m["refusal_accuracy"] <= m["detection_recall"] + 1e-12


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
