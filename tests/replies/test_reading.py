"""What `read_reply` decides by form, by gold and by its model, and what it leaves
undecided.
"""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.structure import read_structure
from refusalbench_tasks.taxonomy import Label


@pytest.mark.parametrize(
    "reply",
    [
        "The provided context doesn't contain this information.",
        (
            "<think>It may be 1987.</think>The provided documents do not say when it"
            " opened."
        ),
        "**Answer:** The provided context does not mention this.",
        '{"answer": null, "reason": "not in the context"}',
        '{"refused": true}',
        "Ich weiß es nicht.",
    ],
)
def test_a_refusal_in_words_or_by_form_is_a_refusal_without_a_code(reply: str) -> None:
    read = read_reply(reply, question="When did it open?", gold=["1987"])
    assert (read.kind, read.code, read.right) == ("refusal", None, None)


@pytest.mark.parametrize(
    "reply",
    [
        "1987",
        "**1987.**",
        r"\boxed{1987}",
        '{"answer": "1987"}',
        "It opened in 1987 [2].",
    ],
)
def test_the_gold_answer_alone_is_right(reply: str) -> None:
    read = read_reply(reply, question="When did it open?", gold="1987")
    assert (read.kind, read.right, read.decided_by) == ("answer", True, "gold")


@pytest.mark.parametrize(
    "reply",
    [
        "Nothing says that it was 1987.",
        "It was not 1987.",
        "1987?",
        "~~1987~~",
        "1\u03369\u03368\u03367\u0336",
        "1987 or 1988",
        "I can't confirm 1987.",
        "Bad Gateway",
        "",
        "not REFUSE_OTHER",
    ],
)
def test_what_is_not_plainly_the_gold_answer_is_never_right(reply: str) -> None:
    assert not read_reply(reply, question="When did it open?", gold=["1987"]).right


@pytest.mark.parametrize(
    "reply",
    [
        "502 Bad Gateway",
        "Error: upstream timed out",
        "<html><body>503</body></html>",
        '{"error": {"code": 429}}',
        "...",
        "REFUSE_OTHER REFUSE_MISSING",
        r"\boxed{1} \boxed{2}",
        "Maybe.",
    ],
)
def test_errors_and_two_final_answers_are_undecided(reply: str) -> None:
    assert read_reply(reply).kind == "undecided"


@pytest.mark.parametrize(
    "reply",
    [
        "404 Not Found",
        "503 Service Unavailable. Try later.",
        "409 Conflict",
        "HTTP 418",
        "HTTP 502 Bad Gateway",
        "Error 503 Backend fetch failed",
        "status 500: try again",
        "Error code: 451",
        "status 500",
        "522 error",
        "Access Denied",
        "Sorry, something went wrong.",
    ],
)
def test_a_servers_error_needs_its_word_or_its_reason_phrase(reply: str) -> None:
    assert read_reply(reply, question="How many?").kind == "undecided"


@pytest.mark.parametrize(
    "reply",
    [
        "450",
        "412 kg",
        "500 euros",
        "512 metres",
        "404 BC",
        "599.",
        "430 million years ago",
        "480 tonnes",
        "Status 500 employees",
        "500 trial and error",
        "410 Gone with the Wind",
    ],
)
def test_a_number_from_400_to_599_is_no_error(reply: str) -> None:
    read = read_reply(reply, question="How many?")
    assert (read.kind, read.decided_by) in (("answer", "model"), ("undecided", None))
    passage = f"There were {reply} in all."
    copied = read_reply(reply, question="How many?", context=[passage])
    assert copied.kind == "answer"
    assert read_reply(reply, question="How many?", gold=[reply]).right


def test_the_gold_answer_is_no_error() -> None:
    assert read_reply("404 Not Found", gold=["404 Not Found"]).right
    assert read_reply("Access denied", gold=["access denied"]).right


@pytest.mark.parametrize(
    "reply", ["REFUSE", "Refusal.", "**REFUSED**", "declined", "Answer: Refused"]
)
def test_the_bare_word_is_a_refusal_without_a_code(reply: str) -> None:
    read = read_reply(reply, question="When?", gold=["1987"])
    assert (read.kind, read.code) == ("refusal", None)


def test_the_bare_word_may_be_the_gold_answer() -> None:
    assert read_reply(
        "Declined", question="What came of the offer?", gold=["declined"]
    ).right


@pytest.mark.parametrize(
    "reply",
    [
        "Question: When did it open? Answer:",
        "When did it open?",
        "QUESTION: when did it open",
        "QUESTION\nWhen?\n\nPASSAGES\nIt opened in May.\n\nANSWER:",
        "Here is my answer:",
    ],
)
def test_an_echo_of_the_prompt_is_undecided(reply: str) -> None:
    assert read_reply(reply, question="When did it open?").kind == "undecided"


def test_what_is_struck_out_or_thought_aloud_is_not_read() -> None:
    assert read_reply("<strike>1987</strike>", gold=["1987"]).kind == "undecided"
    assert read_reply("[THINK]The text does not say.[/THINK]1987", gold=["1987"]).right
    assert read_reply("[think]1987?[/think]I don't know").kind == "refusal"


def test_a_systems_phrases_win_over_the_model_and_lose_to_the_gold_answer() -> None:
    own = ["ask the front desk"]
    assert (
        read_reply("Please ask  the Front Desk.", refusals=own).decided_by == "phrase"
    )
    assert read_reply(
        "Ask the front desk", gold="ask the front desk", refusals=own
    ).right


def test_a_sentence_of_the_passages_is_an_answer() -> None:
    passage = "The mill was sold twice. Nothing is known of its first owner."
    assert (
        read_reply("Nothing is known of its first owner.", context=[passage]).kind
        == "answer"
    )


@given(
    st.one_of(st.text(), st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
)
def test_it_never_raises(reply: str) -> None:
    assert read_reply(reply, question=reply, gold=[reply]).kind in (
        "answer",
        "refusal",
        "undecided",
    )
    read_structure(reply)


def test_a_long_hostile_reply_takes_no_time() -> None:
    start = time.process_time()
    for part in (
        "<think>",
        "\u0336a",
        '"a ',
        "**",
        "[a](",
        "{",
        "error ",
        "\\boxed{",
        "<answer>",
        "~~a",
        "`",
        "answer\n",
        "REFUSE_OTHER ",
        "REFUSE_OTHER.\n",
        "[think]",
        "404 ",
    ):
        read_reply(part * 20_000)
    assert time.process_time() - start < 20


def test_a_code_is_a_refusal_with_its_code_in_whatever_dress() -> None:
    for reply in (
        "REFUSE_MISSING",
        r"\boxed{\text{REFUSE\_MISSING}}",
        "<answer>REFUSE_MISSING</answer>",
    ):
        assert read_reply(reply).code is Label.MISSING


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": "1911", "label": "REFUSE_OTHER"}',
        "<answer>1911</answer> REFUSE_OTHER",
        r"REFUSE_OTHER\boxed{yes}",
        "REFUSE_MISSING\nANSWER: 1911",
        '{"answer": "1911", "code": "REFUSE_OTHER"}',
    ],
)
def test_an_answer_with_a_code_elsewhere_is_undecided(reply: str) -> None:
    read = read_reply(reply, question="When did it open?", gold=["1911"])
    assert (read.kind, read.right) == ("undecided", None)


@pytest.mark.parametrize(
    "reply",
    [
        "I cannot tell from the passages.\nAnswer: see above",
        "I cannot answer. The passage reads:\nAnswer: 1911",
        "I don't know!\n\nANSWER: 1911",
        "Two dates are given\nI am not sure\nAnswer: 1911",
    ],
)
def test_an_answer_behind_a_plain_refusal_is_undecided(reply: str) -> None:
    read = read_reply(reply, question="When did it open?", gold=["1911"])
    assert (read.kind, read.right) == ("undecided", None)


@pytest.mark.parametrize(
    "reply",
    ["According to [1], [2].", "Based on [2].", "As stated in [3]", "Laut [1]:"],
)
def test_a_reply_that_only_names_its_source_is_undecided(reply: str) -> None:
    assert read_reply(reply, question="When did it open?").kind == "undecided"


def test_a_higher_threshold_decides_less() -> None:
    reply = "The provided context doesn't contain this information."
    assert (read_reply(reply).kind, read_reply(reply, threshold=0.9999).kind) == (
        "refusal",
        "undecided",
    )


@pytest.mark.parametrize("reply", ["1", "The answer is: 410.", '{"answer": 410}'])
def test_another_bare_number_than_the_gold_one_is_a_wrong_answer(reply: str) -> None:
    read = read_reply(reply, gold=["37"])
    assert (read.kind, read.right, read.decided_by) == ("answer", False, "gold")
    assert read_reply(f"There were {reply} of them.", gold=["37"]).right is None
