"""Answer quality on ten passages, worked by hand."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.grounding import BUCKETS, Replies, citation_quality, distribution, kind_of, quality
from refusalbench_tasks.metrics.refusal import count_rows, denominators
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.taxonomy import Label

A, M, C = Label.ANSWER, Label.MISSING, Label.CONTRADICTORY


NAN = math.nan


class Reply(NamedTuple):
    outcome: Outcome
    eligible: float = NAN
    factual_all: float = NAN
    citations: float = 0
    existing: float = 0
    signal: float = 0


def reply(expected: Label, predicted: Label | None, right: bool | None = None, **facts: float) -> Reply:
    return Reply(Outcome(expected, predicted, right, "s"), **facts)


def replies(rows: list[Reply]) -> Replies:
    numbers = np.array([one[1:] for one in rows], dtype=float).reshape(-1, 5)
    return Replies([one.outcome for one in rows], *numbers.T)


HAND = [
    # seven answerable rows
    reply(A, A, True, eligible=1, factual_all=1, citations=2, existing=2, signal=2),
    reply(A, A, False, eligible=1, factual_all=1, citations=3, existing=2, signal=1),
    reply(A, A, False, eligible=0, factual_all=1),
    reply(A, M),  # refused
    reply(A, A, None, citations=1, existing=1, signal=0),  # attempted, not graded
    reply(A, None),  # undecided
    reply(A, M),
    # four unanswerable rows
    reply(M, M),
    reply(M, C),
    reply(M, A),
    reply(M, None),
]


def test_the_three_denominators_of_answer_quality_are_three_metrics() -> None:
    m = quality(replies(HAND))
    assert m["answer_quality"] == pytest.approx(1 / 5)  # 3 graded attempts and 2 refusals
    assert m["raf_attempts"] == pytest.approx(1 / 3)
    assert m["raf_not_refused"] == pytest.approx(1 / 5)  # 3 graded, 1 ungraded, 1 undecided
    assert (m["answer_quality_n"], m["raf_attempts_n"], m["raf_not_refused_n"]) == (5, 3, 5)


def test_eligibility_and_factuality_over_all_and_over_attempts() -> None:
    m = quality(replies(HAND))
    assert m["eligibility"] == pytest.approx(2 / 5)
    assert m["eligibility_attempts"] == pytest.approx(2 / 3)
    assert m["unadjusted_factuality"] == pytest.approx(3 / 5)
    assert m["unadjusted_factuality_attempts"] == pytest.approx(1)


def test_an_attempt_that_no_judge_saw_is_in_no_rate_of_the_judges() -> None:
    m = quality(replies([reply(A, A, True), reply(A, A, True, eligible=1, factual_all=1)]))
    assert (m["answer_quality"], m["eligibility"], m["unadjusted_factuality"]) == (1, 1, 1)
    assert (m["answer_quality_n"], m["eligibility_n"]) == (2, 1)


def test_the_six_buckets() -> None:
    assert distribution(replies(HAND)) == {
        "good_answer": pytest.approx(1 / 8),
        "poor_answer": pytest.approx(2 / 8),
        "correct_code_refusal": pytest.approx(1 / 8),
        "wrong_code_refusal": pytest.approx(1 / 8),
        "false_refusal": pytest.approx(2 / 8),
        "missed_refusal": pytest.approx(1 / 8),
    }


def test_citations() -> None:
    m = citation_quality(replies(HAND))
    assert m["citation_existence"] == pytest.approx(5 / 6)
    assert m["citation_precision"] == pytest.approx(3 / 5)
    assert m["uncited_answers"] == pytest.approx(1 / 4)


def test_without_rows_everything_is_undefined() -> None:
    for values in (quality(replies([])), distribution(replies([])), citation_quality(replies([]))):
        assert all(math.isnan(v) for k, v in values.items() if not k.endswith("_n"))


def test_what_is_not_known_to_be_right_or_wrong_is_in_no_bucket() -> None:
    kinds = [kind_of(one.outcome) for one in HAND]
    assert [kinds[k] for k in (4, 5, 10)] == ["ungraded_answer", "undecided_answerable", "undecided_unanswerable"]
    assert [one.outcome.right is None for one in HAND] == [kind not in BUCKETS for kind in kinds]


labels = st.sampled_from(list(Label))
made = st.builds(reply, labels.filter(lambda x: x is not Label.OTHER), st.none() | labels, st.none() | st.booleans())


@given(st.lists(made, max_size=30))
def test_the_buckets_are_exclusive_and_sum_to_one(rows: list[Reply]) -> None:
    shares = distribution(replies(rows))
    assert set(shares) == set(BUCKETS)
    known = [one for one in rows if one.outcome.right is not None]
    assert sum(shares.values()) == pytest.approx(1) if known else all(math.isnan(v) for v in shares.values())
    m = quality(replies(rows))
    counts = count_rows([one.outcome for one in rows]).sum(axis=0)
    assert denominators(counts)["hybrid_score"] == len(known)
    if not math.isnan(m["answer_quality"]) and not math.isnan(m["raf_attempts"]):
        assert m["answer_quality"] <= m["raf_attempts"] + 1e-12
        assert m["raf_not_refused"] <= m["raf_attempts"] + 1e-12


def test_every_share_has_its_n() -> None:
    m = quality(replies(HAND))
    assert (m["unadjusted_factuality_n"], m["unadjusted_factuality_attempts_n"]) == (5, 3)  # 3 graded, 2 refused
    assert (m["eligibility_n"], m["eligibility_attempts_n"]) == (5, 3)
    # the hybrid score: 1 good answer, 1 hit; 5 and 3 rows
    assert denominators(count_rows([one.outcome for one in HAND]).sum(axis=0))["hybrid_score"] == 8


def test_one_citation_is_a_citation() -> None:
    rows = [reply(A, A, True, citations=1, existing=1, signal=1), reply(A, A, True), reply(A, A, False)]
    assert citation_quality(replies(rows))["uncited_answers"] == pytest.approx(2 / 3)
