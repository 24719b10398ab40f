"""The metrics of App. D, worked by hand."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refusalbench_tasks
from refusalbench_tasks.metrics import refusal
from refusalbench_tasks.metrics.refusal import (
    METRICS,
    RATES,
    Rate,
    count_rows,
    counts_by_name,
    denominators,
    rates,
)
from refusalbench_tasks.outcome import Outcome, Protocol
from refusalbench_tasks.taxonomy import Label

A, M, C, X = Label.ANSWER, Label.MISSING, Label.CONTRADICTORY, Label.OTHER


def measured(outcomes: list[Outcome], protocol: str = "paper") -> dict[str, float]:
    totals = count_rows(outcomes).sum(axis=0)
    return dict(zip(METRICS, rates(totals, protocol), strict=True))  # type: ignore[arg-type]


HAND = [
    # five answerable rows: 2 right, 1 wrong, 1 refused, 1 undecided
    Outcome(A, A, True, "a"),
    Outcome(A, A, True, "a"),
    Outcome(A, A, False, "b"),
    Outcome(A, M, None, "b"),
    Outcome(A, None, None, "c"),
    # seven unanswerable rows: 3 hits, 1 wrong code, 1 REFUSE_OTHER, 1 answered, 1 undecided
    Outcome(M, M, None, "a"),
    Outcome(M, M, None, "c"),
    Outcome(M, C, None, "c"),
    Outcome(C, C, None, "d"),
    Outcome(C, X, None, "d"),
    Outcome(C, A, None, "e"),
    Outcome(C, None, None, "e"),
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
    assert measured([Outcome(A, A, True, "a")], "official-code")["refusal_accuracy"] == 0


def test_every_rate_has_its_n() -> None:
    n = denominators(count_rows(HAND).sum(axis=0))
    assert n["answer_accuracy"] == 4
    assert n["refusal_accuracy"] == 6
    assert n["refusal_rate"] == 10
    assert n["category_accuracy"] == 5
    assert set(n) == set(METRICS)


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_a_metric_is_one_entry_of_the_table(protocol: Protocol, monkeypatch: pytest.MonkeyPatch) -> None:
    missed_share = Rate(lambda c: c.missed, lambda c: c.rows)
    monkeypatch.setattr(refusal, "RATES", {**RATES, "missed_share": missed_share})
    totals = count_rows(HAND).sum(axis=0)
    rows = 10 if protocol == "paper" else 12
    assert rates(totals, protocol)[-1] == pytest.approx(1 / rows)
    assert denominators(totals, protocol)["missed_share"] == rows
    assert rates(np.stack([totals, totals]), protocol).shape == (2, len(METRICS) + 1)


def test_the_documentation_defines_every_metric_and_no_other() -> None:
    page = (Path(refusalbench_tasks.__file__).parents[1] / "docs" / "metrics.md").read_text(encoding="utf-8")
    table = page.partition("| metric |")[2].partition("\n\n")[0]
    named = [name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(named) == sorted(METRICS)


def test_an_ungraded_attempt_is_in_the_false_refusal_rate_and_not_in_answer_accuracy() -> None:
    m = measured([Outcome(A, A, None, "a"), Outcome(A, A, True, "b")])
    assert m["answer_accuracy"] == 1
    assert denominators(count_rows([Outcome(A, A, None, "a")]).sum(axis=0))["false_refusal_rate"] == 1


def test_undefined_is_nan_and_never_zero() -> None:
    assert all(math.isnan(v) for v in measured([]).values())
    only_undecided = measured([Outcome(A, None, None, "a"), Outcome(M, None, None, "a")])
    assert all(math.isnan(v) for v in only_undecided.values())
    always_answers = measured([Outcome(A, A, True, "a"), Outcome(M, A, None, "b")])
    assert math.isnan(always_answers["detection_precision"])
    assert math.isnan(always_answers["category_accuracy"])
    assert always_answers["detection_f1"] == 0
    assert always_answers["hierarchical_score"] == 0  # F1 is 0, whatever the category accuracy would be
    no_unanswerable = measured([Outcome(A, M, None, "a")])
    assert math.isnan(no_unanswerable["detection_f1"])
    assert math.isnan(no_unanswerable["refusal_accuracy"])


outcomes = st.builds(
    Outcome,
    expected=st.sampled_from([x for x in Label if x is not X]),
    predicted=st.none() | st.sampled_from(list(Label)),
    correct=st.none() | st.booleans(),
    cluster=st.sampled_from("abc"),
)


@given(st.lists(outcomes, max_size=40))
def test_rates_are_shares_and_agree_with_one_another(rows: list[Outcome]) -> None:
    for protocol in ("paper", "official-code"):
        values = np.array(list(measured(rows, protocol).values()))
        assert np.all(np.isnan(values) | ((values >= 0) & (values <= 1 + 1e-12)))
    m = measured(rows)
    if not math.isnan(m["missed_refusal_rate"]):
        assert m["missed_refusal_rate"] + m["detection_recall"] == pytest.approx(1)
        assert m["refusal_accuracy"] <= m["detection_recall"] + 1e-12


@given(st.lists(outcomes, max_size=40), st.randoms())
def test_order_and_undecided_rows_change_nothing_but_the_counts(rows: list[Outcome], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = [*rows, Outcome(A, None, None, "z"), Outcome(M, None, None, "z")]
    random.shuffle(shuffled)
    np.testing.assert_allclose(list(measured(rows).values()), list(measured(shuffled).values()))
    before, after = (counts_by_name(count_rows(x).sum(axis=0)) for x in (rows, shuffled))
    assert after["undecided_answerable"] == before["undecided_answerable"] + 1
