"""Formulas that are more than a quotient of two counts, worked by hand."""

import math

import pytest

from tests.metrics.refusal_rates import FAILED, HAND, measured
from tests.metrics.replies import A, C, M, X


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
