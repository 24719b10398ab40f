"""What is decided about a reply without a grader: by form, and offline by words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.replies.decision import (
    ReplyDecision,
    ReplySettings,
    decide_by_form,
)
from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)


def item(intensity: Intensity = Intensity.LOW) -> RefusalItem:
    perturbation = PerturbationClass.MISSING_INFO
    return RefusalItem(
        item_id="i",
        source_id="s",
        query="When?",
        passages=("p",),
        answers=("1987", "in 1987"),
        perturbation=perturbation,
        intensity=intensity,
        expected=expected_label(perturbation, intensity),
    )


def decide(
    reply: str,
    mode: Any = "cascade",
    stop: str = "stop",
    confidence: bool = False,
    **options: Any,
) -> ReplyDecision:
    return decide_by_form(
        item(**options),
        reply,
        stop,
        ReplySettings(judge=mode, confidence=confidence),
    )


@pytest.mark.parametrize("mode", ["cascade", "offline", "always"])
@pytest.mark.parametrize(
    ("stop", "reply", "reason"),
    [
        ("content_filter", "REFUSE_OTHER", "provider_refusal"),
        ("max_tokens", "REFUSE_OTHER", "truncated"),
        ("model_length", "1987", "truncated"),
        ("stop", "", "no_response"),
        ("unknown", "", "no_response"),
        ("stop", "[3]", "no_response"),
        ("stop", "Answer: [1], [2]", "no_response"),
    ],
)
def test_stops_and_empty_replies_are_unscored_in_every_mode(
    mode: Any, stop: str, reply: str, reason: str
) -> None:
    decision = decide(reply, mode, stop)
    assert (decision.label, decision.reason) == (None, reason)


def test_a_bare_code_is_decided_by_parse_except_where_a_grader_always_decides() -> None:
    for mode in ("cascade", "offline"):
        decision = decide("**REFUSE_MISSING**", mode)
        assert (decision.label, decision.decided_by) == (Label.MISSING, "parse")
    assert decide("REFUSE_MISSING", "always").open


@pytest.mark.parametrize("intensity", [Intensity.LOW, Intensity.HIGH])
@pytest.mark.parametrize(
    "reply",
    ["Bad Gateway", "Too Many Requests", "Keine Angabe", "Loading", "Tandan Kestick"],
)
def test_a_typed_answer_is_decided_by_form_only_if_it_is_the_gold_one(
    reply: str, intensity: Intensity
) -> None:
    row = item(intensity).model_copy(
        update={"answers": ("Glisia Kraral",), "answer_type": "person"}
    )
    assert decide_by_form(row, reply, "stop", ReplySettings()).open
    assert not decide_by_form(
        row, reply, "stop", ReplySettings(judge="offline")
    ).correct
    right = decide_by_form(row, "Glisia Kraral.", "stop", ReplySettings())
    assert (right.label, right.correct, right.decided_by) == (
        Label.ANSWER,
        row.answerable or None,
        "type",
    )


@pytest.mark.parametrize("intensity", [Intensity.LOW, Intensity.HIGH])
def test_offline_another_bare_year_is_a_wrong_answer_where_one_is_due(
    intensity: Intensity,
) -> None:
    row = item(intensity).model_copy(update={"answers": ("1987",)})
    offline = ReplySettings(judge="offline")
    other = decide_by_form(row, "1931", "stop", offline)
    assert (other.label, other.decided_by) == (Label.ANSWER, "type")
    assert other.correct is (False if row.answerable else None)
    # what a long reference says is more than the value
    long = row.model_copy(update={"reference": "It opened in 1987."})
    assert decide_by_form(long, "1931", "stop", offline).correct is None


def test_offline_decides_aliases_and_tells_answers_from_refusals_in_words() -> None:
    right = decide("It was 1987.", "offline")
    assert (right.label, right.correct, right.decided_by) == (
        Label.ANSWER,
        True,
        "alias",
    )
    missed = decide("It was 1987.", "offline", intensity=Intensity.HIGH)
    assert (missed.label, missed.correct) == (Label.ANSWER, None)
    for reply in (
        "REFUSE_OTHER, or 1987",
        "REFUSE_OTHER REFUSE_MISSING",
        "Bad Gateway",
        "Maybe.",
    ):
        decision = decide(reply, "offline")
        assert decision.reason == "undecided_offline"
        assert decision.explanation
    other = decide("It opened in 1990.", "offline")
    assert (other.label, other.correct, other.decided_by) == (
        Label.ANSWER,
        None,
        "reading",
    )
    refused = decide(
        "The provided documents do not say when it opened.",
        "offline",
        intensity=Intensity.HIGH,
    )
    assert (refused.label, refused.coded, refused.decided_by) == (
        Label.OTHER,
        False,
        "reading",
    )


def test_the_confidence_line_is_read_only_where_it_was_asked_for() -> None:
    said = decide("REFUSE_OTHER\nCONFIDENCE: UNCERTAIN", confidence=True)
    assert (said.label, said.level) == (Label.OTHER, Level.UNCERTAIN)
    assert decide("REFUSE_OTHER\nCONFIDENCE: UNCERTAIN").open
    assert decide("CONFIDENCE: UNCERTAIN", confidence=True).reason == "no_response"


@given(
    st.text(),
    st.sampled_from(["cascade", "offline", "always"]),
    st.booleans(),
    st.text(max_size=12),
)
def test_never_raises_and_is_never_both_decided_and_unscored(
    reply: str, mode: Any, confidence: bool, stop: str
) -> None:
    decision = decide(reply, mode, stop, confidence)
    assert decision.label is None or decision.reason is None
    assert mode != "offline" or not decision.open


def test_offline_a_reply_that_asks_back_is_a_refusal_of_its_own_kind() -> None:
    decision = decide("Which of the two bridges do you mean?", "offline")
    assert (decision.label, decision.coded, decision.asks_back) == (
        Label.OTHER,
        False,
        True,
    )
    assert decision.explanation == "asks back, by its model"


def test_what_was_decided_without_a_grader_says_whether_it_asks_back() -> None:
    for reply in ("REFUSE_OTHER", "It was 1987.", "I do not know."):
        assert decide(reply, "offline").asks_back is False
    assert decide("Hmm.", "offline").asks_back is None
