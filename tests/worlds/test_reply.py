"""What a reply claims: a code, a plain refusal, an answer, or too much at once."""

import pytest

from refusalbench_tasks.replies.reading import ReplyReading
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds import reply as worlds_reply
from refusalbench_tasks.worlds.reply import Claim, read_claim

CODE = "REFUSE_INFO_MISSING_IN_CONTEXT"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", "empty"),
        ("<think>£40</think>", "empty"),
        (CODE, "code"),
        (f"\\boxed{{\\text{{{CODE}}}}}", "code"),
        (f'{{"refused": true, "code": "{CODE}", "answer": "N/A"}}', "code"),
        (f"{CODE} or REFUSE_OTHER", "several"),
        (f"{CODE}\n£40", "several"),
        ("<answer>£40</answer><answer>£45</answer>", "several"),
        ("I don’t know.", "refusal"),
        ("The fee is not stated.", "refusal"),
        ("£40", "answer"),
        ("Let me see.\nAnswer: £40", "answer"),
    ],
)
def test_a_reply_claims_one_thing(reply: str, kind: str) -> None:
    assert read_claim(reply).kind == kind


def test_a_claim_has_its_text_without_the_dress() -> None:
    assert read_claim("\\boxed{\\text{£40}}") == Claim("answer", "£40")
    assert read_claim(CODE).label is Label.MISSING
    assert read_claim("REFUSE_UNHEARD_OF").label is Label.OTHER


def test_what_stands_around_a_refusal_is_kept() -> None:
    claim = read_claim("It is £40; the deposit is not listed.")
    assert claim.before == "It is £40; the deposit is "
    assert claim.text == ""
    assert read_claim("I don't know, but it is £40").text == ", but it is £40"


def test_a_text_with_a_question_mark_asks_back_where_the_reader_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []

    def asks(text: str, question: str) -> ReplyReading:
        read.append((text, question))
        return ReplyReading("clarification", text)

    monkeypatch.setattr(worlds_reply, "read_reply", asks)
    question = "What is the fee at Eldham?"
    which = "I can't tell. The tent or the caravan?"
    assert read_claim(which, question) == Claim("clarification", which)
    assert read_claim(f"<answer>{which}</answer>", question).kind == "clarification"
    assert {read_claim(text, question).kind for text in ("£40", CODE)} == {
        "answer",
        "code",
    }
    assert read == [(which, question)] * 2
    assert read_claim(f"{CODE} Which one?", question).kind == "code"
