"""AUROC and AURC of confidence and of hedging for being wrong, by hand."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.hedging_selective import _disjoint_pairs, selective_values
from refusalbench_tasks.metrics.scored_row import Scored
from refusalbench_tasks.metrics.selective import weighted_areas

NUMBERS = {"refused": 0.0, "correctness": 1.0, "confidence": 0.5, "hedges": 0.0, "words": 10.0, "unscored": 0.0}


def row(question: str, about: dict[str, Any] | None = None, **numbers: float) -> HedgingRow:
    return hedging_row({"source_id": question, "arm": "clear"}, Scored(NUMBERS | numbers, notes=about or {}))


ROWS = HedgingRows(
    [
        row("a", confidence=0.9, correctness=1.0),
        row("b", confidence=0.6, correctness=0.4, hedges=2),
        row("c", confidence=0.6, correctness=0.8, hedges=1),
        row("d", confidence=0.95, correctness=0.0, hedges=1),
        row("e", confidence=math.nan, correctness=0.2, hedges=0),
        row("f", confidence=0.1, refused=1, correctness=math.nan, hedges=5),
        row("g", {"refusal_in_text": True}, confidence=0.2, correctness=0.0),
    ]
)


def test_the_areas_by_hand() -> None:
    m = selective_values(ROWS, 100)
    # wrong: b (.6) and d (.95); right: a (.9), c (.6). Lower is b than a, and as high as c: 1.5 of 4 pairs
    assert (m["auroc_confidence"], m["auroc_confidence_n"]) == pytest.approx((1.5 / 4, 4))
    # kept first: d with a risk of 1, a with 0, then b (.6) and c (.2) in either order: .4 each
    assert m["aurc_confidence"] == pytest.approx((1 / 1 + 1 / 2 + 1.4 / 3 + 1.8 / 4) / 4)
    # hedges: wrong 2 1 0 against right 0 1: 2 + 1.5 + .5 of 6 pairs
    assert (m["auroc_hedging"], m["auroc_hedging_n"]) == pytest.approx((4 / 6, 5))
    # kept first: a and e at a risk of .4 each, then c and d at .6, then b
    assert m["aurc_hedging"] == pytest.approx((0.4 + 0.8 / 2 + 1.4 / 3 + 2.0 / 4 + 2.6 / 5) / 5)
    for name in ("auroc_confidence", "aurc_confidence", "auroc_hedging", "aurc_hedging"):
        assert m[f"{name}_ci_low"] <= m[name] <= m[f"{name}_ci_high"], name


def test_the_replies_of_a_question_are_resampled_together() -> None:
    # two questions that are copies of each other, so that every resample has the same areas
    replies = ((0.9, 0.2), (0.5, 0.8), (0.4, 0.2))
    rows = HedgingRows(row(q, confidence=c, correctness=a) for q in "ab" for c, a in replies)
    m = selective_values(rows, 50)
    assert m["auroc_confidence"] == m["auroc_confidence_ci_low"] == m["auroc_confidence_ci_high"] == 0.5
    assert m["aurc_confidence_ci_low"] == m["aurc_confidence_ci_high"] == pytest.approx(m["aurc_confidence"])
    # as rows of their own they differ from resample to resample
    alone = selective_values(HedgingRows(replace(r, cluster="row", epoch=k) for k, r in enumerate(rows)), 50)
    assert alone["auroc_confidence_ci_low"] < 0.5 < alone["auroc_confidence_ci_high"]


Z2 = 1.959963984540054**2


@pytest.mark.parametrize(
    ("wrong", "right", "pairs"),
    [
        ("ab", "cdef", 2),
        ("a", "b", 1),
        # b has both, and can be of one pair only: (a, b) or (b, c)
        ("ab", "bc", 1),
        ("abc", "abc", 1),
        ("abcd", "abcd", 2),
    ],
)
def test_a_perfect_auroc_is_not_certain(wrong: str, right: str, pairs: int) -> None:
    rows = HedgingRows(
        [row(q, confidence=0.1, correctness=0.0) for q in wrong] + [row(q, confidence=0.9) for q in right]
    )
    m = selective_values(rows, 50)
    # Wilson's interval of k of k: from k / (k + z^2)
    found = [m[f"auroc_confidence{ending}"] for ending in ("", "_ci_low", "_ci_high")]
    assert found == pytest.approx([1, pairs / (pairs + Z2), 1])
    other_way = HedgingRows(replace(r, numbers={**r.numbers, "confidence": 1 - r.numbers["confidence"]}) for r in rows)
    m = selective_values(other_way, 50)
    found = [m[f"auroc_confidence{ending}"] for ending in ("", "_ci_low", "_ci_high")]
    assert found == pytest.approx([0, 0, Z2 / (pairs + Z2)])


def test_an_area_without_any_risk_has_the_interval_of_no_risk_in_so_many_questions() -> None:
    m = selective_values(HedgingRows(row(q) for q in "aabc"), 50)
    assert [m[f"aurc_confidence{ending}"] for ending in ("", "_ci_low", "_ci_high")] == pytest.approx(
        [0, 0, Z2 / (3 + Z2)]
    )
    one = selective_values(HedgingRows(row("a") for _ in range(4)), 50)
    assert math.isnan(one["aurc_confidence_ci_high"])


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=9))
def test_the_pairs_of_different_questions_are_as_many_as_can_be_found(replies: list[tuple[int, bool]]) -> None:
    wrong, right = ({q for q, bad in replies if bad is kind} for kind in (True, False))

    def most(wrong: frozenset[int], right: frozenset[int]) -> int:
        pairs = [(w, r) for w in wrong for r in right if w != r]
        return max((1 + most(wrong - {w, r}, right - {w, r}) for w, r in pairs), default=0)

    places = [np.array(sorted(side), dtype=np.intp) for side in (wrong, right)]
    assert _disjoint_pairs(*places) == most(frozenset(wrong), frozenset(right))


def test_nothing_to_tell_apart_is_undefined() -> None:
    m = selective_values(HedgingRows([row("a"), row("b")]), 10)
    assert math.isnan(m["auroc_confidence"])
    assert m["aurc_confidence"] == 0
    none = selective_values(HedgingRows(), 10)
    assert all(math.isnan(value) or (name.endswith("_n") and value == 0) for name, value in none.items())


REPLIES = st.lists(
    st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 3)),
    min_size=1,
    max_size=8,
)


@given(REPLIES)
def test_a_weight_is_a_number_of_copies(replies: list[tuple[float, float, int]]) -> None:
    score, risk, weights = (np.array(column, dtype=float) for column in zip(*replies, strict=True))
    wrong = (risk > 0.5).astype(float)
    auroc, aurc = weighted_areas(score, wrong, risk, weights)
    copies = np.repeat(np.arange(len(score)), weights.astype(int))
    assert aurc == pytest.approx(
        weighted_areas(score[copies], wrong[copies], risk[copies], np.ones(len(copies)))[1], nan_ok=True
    )
    pairs = [
        float(score[i] > score[j]) + 0.5 * float(score[i] == score[j])
        for i in copies
        for j in copies
        if wrong[i] and not wrong[j]
    ]
    assert auroc == pytest.approx(np.mean(pairs) if pairs else math.nan, nan_ok=True)
