"""A reward says whether a reply does what is right for a row, or that it cannot tell; never a wrong one."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.rewards import reward, typed
from refusalbench_tasks.worlds.short_replies.typed_answer import typed_verdict
from tests.worlds.reply_styles import LATER_STYLES, STYLES, Scripted, made_rows, scripted

YEAR = {
    "perturbed_query": "When was the Brumum Tavern opened?",
    "perturbed_context": "The Brumum Tavern opened in 1987, the Findova Arms in 1999.",
    "original_answers": ["1987"],
    "answer_type": "year",
    "expected_rag_behavior": "ANSWER_CORRECTLY",
}
MISSING = YEAR | {"expected_rag_behavior": "REFUSE_INFO_MISSING_IN_CONTEXT"}


@cache
def quads() -> list[list[dict[str, Any]]]:
    return made_rows(9_002, 40)


def rows() -> list[dict[str, Any]]:
    return [row for quad in quads() for row in quad]


@cache
def said() -> list[Scripted]:
    return [one for quad in quads() for one in scripted(quad, 1, {**STYLES, **LATER_STYLES})]


@pytest.mark.parametrize(
    ("reply", "row", "earned"),
    [
        ("1987", YEAR, 1.0),
        ("It was opened in 1999.", YEAR, 0.0),
        ("REFUSE_INFO_MISSING_IN_CONTEXT", YEAR, 0.0),
        ("I cannot tell.", YEAR, None),
        ("1987 or 1999", YEAR, None),
        ("", YEAR, None),
        ("REFUSE_INFO_MISSING_IN_CONTEXT", MISSING, 1.0),
        ("REFUSE_GRANULARITY_MISMATCH", MISSING, 0.0),
        ("1987", MISSING, 0.0),
        ("1999", MISSING, 0.0),
        ("The passage does not say.", MISSING, None),
        ("REFUSE_OTHER_CODE and 1987", MISSING, None),
    ],
)
def test_the_reward_of_a_reply(reply: str, row: dict[str, object], earned: float | None) -> None:
    assert reward(reply, row) == earned


def test_another_code_earns_what_it_is_given() -> None:
    assert reward("REFUSE_GRANULARITY_MISMATCH", MISSING, wrong_code=0.25) == 0.25
    assert reward("REFUSE_GRANULARITY_MISMATCH", YEAR, wrong_code=0.25) == 0.0


def test_ten_passages_are_read_as_one_is() -> None:
    ten = {"query": YEAR["perturbed_query"], "grounding": [{"text": YEAR["perturbed_context"]}]}
    ten |= {key: YEAR[key] for key in ("original_answers", "answer_type", "expected_rag_behavior")}
    assert reward("In 1987 [1].", ten) == 1.0
    assert reward("In 1999 [1].", ten) == 0.0


def test_short_replies_in_scripted_styles_are_decided_and_never_wrongly() -> None:
    verdicts = [(one, typed_verdict(one.text, typed(one.row))) for one in said() if one.truth is not None]
    assert [(one.style, one.text) for one, right in verdicts if right not in (None, one.truth)] == []
    decided = sum(right is not None for _, right in verdicts) / len(verdicts)
    assert len(verdicts) > 400
    assert decided >= 0.99


def test_a_refusal_a_denial_and_a_doubt_in_words_earn_nothing_and_cost_nothing() -> None:
    traps = [one for one in said() if one.truth is None]
    assert len(traps) > 200
    assert [one.text for one in traps if reward(one.text, one.row) is not None] == []


@given(st.deferred(lambda: st.sampled_from(rows())), st.text(max_size=80), st.sampled_from([0.0, 0.5]))
def test_a_reward_is_one_of_the_known_ones(row: dict[str, object], reply: str, wrong_code: float) -> None:
    assert reward(reply, row, wrong_code) in (None, 0.0, 1.0, wrong_code)


@given(st.deferred(lambda: st.sampled_from(rows())), st.sampled_from(list(Label)), st.text(max_size=20))
def test_a_reply_with_a_code_is_rewarded_for_the_code_alone(row: dict[str, object], label: Label, beside: str) -> None:
    reply = f"{label.value} {beside}"
    if label is not Label.ANSWER and parse_reply(reply).label is not None:
        assert reward(reply, row) == float(label.value == row["expected_rag_behavior"])
