"""Kinds of reply, answer quality, citations, retrieval, pairs and second codes, worked
by hand.
"""

import math
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.refusal import every_number, values
from refusalbench_tasks.metrics.refusal_metrics import KIND, KINDS
from refusalbench_tasks.metrics.refusal_shares import kinds_of, other_shares
from refusalbench_tasks.taxonomy import Label
from tests.metrics.replies import A, C, M, X, replies, reply, some

FAILED = "grader_failed"
EMPTY = "no_response"
G = Label.GRANULARITY


def graded(
    eligible: float, factual: float, cited: tuple[int, int, int] | None = None
) -> dict[str, float]:
    """Return what a grader found of an answer, and its citations: all, of passages that
    exist, of signal passages.
    """
    names = ("citations", "citations_existing", "citations_signal")
    citations = dict(zip(names, map(float, cited), strict=True)) if cited else {}
    return {"eligible": eligible, "factual_all": factual} | citations


SEEN = {"eligible": math.nan}
HAND = [
    # eight answerable rows
    reply(A, A, True, numbers=graded(1, 1, (2, 2, 2))),
    reply(A, A, False, numbers=graded(1, 1, (3, 2, 1))),
    reply(A, A, False, numbers=graded(0, 1)),
    reply(A, M),
    reply(
        A,
        A,
        None,
        numbers=SEEN
        | {
            "citations": 1.0,
            "citations_existing": 1.0,
            "citations_signal": 0.0,
        },
    ),
    reply(A, FAILED),
    reply(A, M),
    reply(A, EMPTY),
    # four unanswerable rows
    reply(M, M),
    reply(M, C),
    reply(M, A),
    reply(M, FAILED),
]


def measured(table: pd.DataFrame, *names: str) -> list[Any]:
    found = other_shares(table, resamples=0)
    return [(found[name].value, found[name].n) for name in names]


def test_every_reply_is_of_one_kind() -> None:
    assert kinds_of(replies(*HAND)).tolist() == [
        "good_answer",
        "poor_answer",
        "poor_answer",
        "false_refusal",
        "ungraded_answer",
        "unscored_answerable",
        "false_refusal",
        "no_reply",
        "correct_code_refusal",
        "wrong_code_refusal",
        "missed_refusal",
        "unscored_unanswerable",
    ]
    assert kinds_of(replies(reply(M, X, codes=False))).tolist() == ["uncoded_refusal"]
    assert kinds_of(replies({"outcome": "error"})).tolist() == [""]


def test_the_kinds_are_shares_of_the_replies_known_to_be_right_or_wrong() -> None:
    shares = (1 / 9, 2 / 9, 1 / 9, 1 / 9, 2 / 9, 1 / 9, 1 / 9)
    assert measured(replies(*HAND), *(f"{KIND}{kind}" for kind in KINDS)) == [
        (pytest.approx(share), 9) for share in shares
    ]


def test_answer_quality_has_three_denominators_each_under_its_own_name() -> None:
    # three graded attempts, two refusals and an empty reply; one more attempt without a
    # grade, and one unscored reply
    found = measured(
        replies(*HAND), "answer_quality", "raf_attempts", "raf_not_refused"
    )
    assert found == [
        (pytest.approx(1 / 6), 6),
        (pytest.approx(1 / 3), 3),
        (pytest.approx(1 / 6), 6),
    ]


def test_eligibility_and_factuality_are_of_answerable_rows_and_of_attempts() -> None:
    table = replies(*HAND)
    assert measured(table, "eligibility", "eligibility_attempts") == [
        (pytest.approx(2 / 6), 6),
        (2 / 3, 3),
    ]
    assert measured(
        table, "unadjusted_factuality", "unadjusted_factuality_attempts"
    ) == [(3 / 6, 6), (1, 3)]


def test_citations_are_those_of_answers_to_answerable_questions() -> None:
    found = measured(
        replies(*HAND), "citation_existence", "citation_precision", "uncited_answers"
    )
    assert found == [
        (pytest.approx(5 / 6), 6),
        (pytest.approx(3 / 5), 5),
        (pytest.approx(1 / 4), 4),
    ]


labels = st.sampled_from([*Label, FAILED, EMPTY])
REPLIES = st.lists(
    st.tuples(st.sampled_from([A, M, C]), labels, st.none() | st.booleans()),
    min_size=1,
    max_size=30,
)


@given(REPLIES)
def test_kinds_exclude_each_other_and_a_pure_answer_beats_a_mixed_one(
    rows: list[tuple[Any, ...]],
) -> None:
    table = some(rows).assign(grounded=True)
    found = other_shares(table, resamples=0)
    kinds = [found[f"{KIND}{kind}"] for kind in KINDS]
    if kinds[0].n:
        assert sum(one.value for one in kinds) == pytest.approx(1)
        assert kinds[0].n == values(table, 0)["hybrid_score"].n
    if found["raf_attempts"].n:
        assert found["answer_quality"].value <= found["raf_attempts"].value + 1e-12


def retrieved(
    hit: bool | None, predicted: Label | str, expected: Label = A, k: int | None = 5
) -> dict[str, Any]:
    return reply(
        expected,
        predicted,
        predicted is expected is A or None,
        retrieved_k=k,
        gold_retrieved=hit,
    )


def test_a_false_refusal_is_the_readers_after_a_hit_or_the_retrievers() -> None:
    table = replies(
        *[retrieved(True, A)] * 3,
        retrieved(True, M),
        retrieved(True, FAILED, k=3),
        retrieved(False, A),
        *[retrieved(False, M)] * 2,
        retrieved(None, M),
        retrieved(True, M, M),
        retrieved(None, A, k=None),
    )
    # known: 5 hits and 3 misses of answerable rows; of the hits 4 are decided and 1
    # refused, of the misses 3 and 2
    names = (
        "hit_at_k",
        "false_refusal_rate_given_hit",
        "false_refusal_rate_given_miss",
    )
    assert measured(table, *names) == [
        (5 / 8, 8),
        (1 / 4, 4),
        (pytest.approx(2 / 3), 3),
    ]


EXPECTED = (A, M, M, A)
"""The diagonal of a quad has answers."""


def member(quad: str, place: int, right: bool | None, epoch: int = 0) -> dict[str, Any]:
    expected = EXPECTED[place]
    said = FAILED if right is None else expected if right else M if expected is A else A
    facts = {"item_id": f"{quad}.{place}", "pair": f"{quad}.{place // 2}"}
    return reply(
        expected,
        said,
        True if said is expected is A else None,
        quad,
        facts=facts,
        epoch=epoch,
    )


def quad(name: str, *right: bool | None) -> list[dict[str, Any]]:
    return [member(name, place, verdict) for place, verdict in enumerate(right)]


def consistency(rows: list[dict[str, Any]]) -> list[Any]:
    return measured(replies(*rows), "pair_consistency", "quad_consistency")


def test_a_pair_counts_if_both_rows_are_right_and_a_quad_if_all_four_are() -> None:
    # pairs: a0 right, a1 right, b0 right, b1 not; quads: a right, b not
    rows = [*quad("a", True, True, True, True), *quad("b", True, True, False, True)]
    assert consistency(rows) == [(3 / 4, 4), (1 / 2, 2)]


def test_a_group_with_an_unscored_or_a_missing_row_is_in_no_denominator() -> None:
    # complete pairs: a1, b0; no complete quad
    rows = [*quad("a", True, None, True, True), *quad("b", True, True, True, True)[:3]]
    assert consistency(rows) == [(1, 2), (pytest.approx(math.nan, nan_ok=True), 0)]


def test_a_reply_that_the_model_failed_to_give_makes_its_group_wrong() -> None:
    empty = reply(A, EMPTY, cluster="a", facts={"item_id": "a.0", "pair": "a.0"})
    assert consistency([empty, *quad("a", True, True, True, True)[1:]]) == [
        (1 / 2, 2),
        (0, 1),
    ]


def test_rows_of_different_epochs_are_never_one_pair() -> None:
    rows = [
        member("a", 0, None, 1),
        member("a", 1, True, 1),
        member("a", 0, True, 2),
        member("a", 1, None, 2),
    ]
    assert consistency(rows)[0][1] == 0
    assert consistency([rows[1], rows[2]])[0][1] == 0


def test_pairs_are_resampled_by_question_also_where_the_run_was_told_rows() -> None:
    rows = [
        one
        for place in range(20)
        for one in quad(str(place), True, True, place % 2 == 0, True)
    ]
    by_question, by_row = (
        other_shares(replies(*rows).assign(cluster_by=how), 200)
        for how in ("question", "row")
    )
    found = by_question["quad_consistency"]
    assert found == by_row["quad_consistency"]
    assert found.low < 0.5 < found.high
    assert found.units == 20


def carrying(predicted: Label | str, *accepted: Label) -> dict[str, Any]:
    return reply(
        M, predicted, facts={"accepted_alternatives": [code.value for code in accepted]}
    )


def test_a_second_code_counts_on_rows_that_name_one_and_in_one_metric() -> None:
    rows: list[tuple[Any, ...]] = [
        (M, G),
        (G, G),
        (C, G),
        (C, G, C),
        (A, G),
        (FAILED, G),
        (G,),
        (M,),
    ]
    table = replies(*(carrying(*row) for row in rows))
    # refused with alternatives: M, G, C, C; gold: 1 of 4; gold or accepted: M, G and
    # the second C: 3 of 4
    assert measured(
        table, "category_accuracy_lenient", "category_accuracy_lenient_strict"
    ) == [(3 / 4, 4), (1 / 4, 4)]
    assert values(table, 0)["category_accuracy"].value == 2 / 6


def test_without_rows_that_name_a_second_code_there_is_no_lenient_score() -> None:
    assert "category_accuracy_lenient" not in other_shares(
        replies(carrying(G), carrying(M)), resamples=0
    )
    refuses_none = other_shares(replies(carrying(A, G)), resamples=0)[
        "category_accuracy_lenient"
    ]
    assert (math.isnan(refuses_none.value), refuses_none.n) == (True, 0)


Q = Label.AMBIGUOUS


def asking(
    expected: Label,
    predicted: Label | str,
    asks_back: float,
    about: float = math.nan,
) -> dict[str, Any]:
    numbers = {"asks_back": asks_back, "asks_about_the_ambiguity": about}
    return reply(expected, predicted, numbers=numbers)


ASKING = [
    # five ambiguous rows of which it is known: three ask, two were judged
    asking(Q, X, 1, 1),
    asking(Q, X, 1, 0),
    asking(Q, Q, 1),
    asking(Q, Q, 0),
    asking(Q, EMPTY, 0),
    asking(Q, X, math.nan),
    asking(Q, FAILED, math.nan),
    # three answerable rows, one of which asks
    asking(A, X, 1),
    asking(A, A, 0),
    asking(A, M, 0),
    # on other rows to be refused a question back is neither needed nor unneeded
    asking(M, X, 1),
]
CLARIFICATIONS = (
    "clarification_rate",
    "unneeded_clarification_rate",
    "asks_about_the_ambiguity",
)


def test_questions_back_are_counted_where_they_are_due_and_where_they_are_not() -> None:
    assert measured(replies(*ASKING), *CLARIFICATIONS) == [
        (pytest.approx(3 / 5), 5),
        (pytest.approx(1 / 3), 3),
        (pytest.approx(1 / 2), 2),
    ]


def test_where_nobody_told_questions_back_there_is_no_rate_of_them() -> None:
    found = other_shares(replies(*HAND), resamples=0)
    assert not set(CLARIFICATIONS) & set(found)
    unjudged = [row for row in ASKING if math.isnan(row["asks_about_the_ambiguity"])]
    assert "asks_about_the_ambiguity" not in other_shares(replies(*unjudged), 0)


def test_every_other_metric_counts_a_question_back_as_a_refusal() -> None:
    table = replies(*ASKING)
    for protocol in ("paper", "official-code"):
        scored = table.assign(protocol=protocol)
        without = every_number(scored.assign(asks_back=math.nan), 100)
        found = every_number(scored, 100)
        assert set(found) - set(without) == set(CLARIFICATIONS)
        for name, estimate in without.items():
            assert repr(found[name]) == repr(estimate), name
