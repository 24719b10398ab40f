"""What a reply to a row did: what its form and its values decide, what the reader of
all tasks decides, and that no label is wrong.
"""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.labelled_replies import real
from refusalbench_tasks.replies.reading import ReplyReading
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds import reply as worlds_reply
from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad_rows import quad_rows, row
from refusalbench_tasks.worlds.reply import WIDEST, reply_verdict, shares
from tests.growth import grows_linearly
from tests.worlds.hostile_replies import HostileReply, hostile
from tests.worlds.reply_styles import STYLES, LabelledReply, labelled

MISSING = "REFUSE_INFO_MISSING_IN_CONTEXT"
QUESTION = "What is the hire fee at Eldham?"


def fixed(due: str = "ANSWER_CORRECTLY", **columns: Any) -> dict[str, Any]:
    return {
        "perturbed_query": QUESTION,
        "expected_rag_behavior": due,
        "answer_type": "money",
        "original_answers": ["£40", "40 pounds", "40"],
    } | columns


@pytest.mark.parametrize(
    ("text", "answerable", "unanswerable"),
    [
        ("£40", "right answer", "wrong answer"),
        ("The hire fee at Eldham is £40.", "right answer", "wrong answer"),
        ("£45", "wrong answer", "wrong answer"),
        ("The hire fee is £45 a day.", "wrong answer", "wrong answer"),
        ("It is 17:15.", "wrong answer", "wrong answer"),
        (MISSING, "other code", "right code"),
        (f"<think>£40? No.</think><answer>{MISSING}</answer>", "other code", None),
        (f"It costs £40 elsewhere.\n<answer>{MISSING}</answer>", "other code", None),
        (f'{{"answer": null, "code": "{MISSING}"}}', "other code", "right code"),
        ("REFUSE_UNHEARD_OF", "other code", "other code"),
        ("I don't know.", "plain refusal", "plain refusal"),
        ('{"answer": "N/A"}', "plain refusal", "plain refusal"),
        ("", "wrong", "wrong"),
        (f"{MISSING} or REFUSE_OTHER", "wrong", "wrong"),
        ("£40 or £45", "wrong", "wrong"),
        (f"{MISSING}\n£40", "wrong", "wrong"),
        ("<answer>£40</answer><answer>£45</answer>", "wrong", "wrong"),
        ("I don't know, but it is £40.", "wrong", "wrong"),
        ("The fee is £40; the deposit is not listed.", "undecided", "undecided"),
        ("The fee is £40 for two days.", "undecided", "wrong answer"),
        ("It is not £40.", "undecided", "undecided"),
        ("Is it £40?", "undecided", "undecided"),
        ("~~£40~~", "undecided", "undecided"),
        (QUESTION, "undecided", "undecided"),
        ("No fee is listed for Eldham.", "undecided", "undecided"),
    ],
)
def test_what_a_reply_did(text: str, answerable: str, unanswerable: str | None) -> None:
    assert reply_verdict(fixed(), text) == answerable
    assert reply_verdict(fixed(MISSING), text) == (unanswerable or "right code")


def test_a_question_back_is_right_where_the_row_is_ambiguous() -> None:
    which = "Which of the two do you mean?"
    assert reply_verdict(fixed(Label.AMBIGUOUS), which) == "right clarification"
    # a question that holds a value may be an answer
    assert reply_verdict(fixed(), "Do you mean £40?") == "undecided"


def test_no_on_a_row_of_yes_or_no_is_an_answer_only_by_itself() -> None:
    asked = fixed(answer_type="flag", original_answers=["no"])
    assert reply_verdict(asked, "No.") == "right answer"
    assert reply_verdict(asked, "Yes.") == "wrong answer"
    assert reply_verdict(asked, "No idea.") == "plain refusal"
    assert reply_verdict(asked, "No, I cannot answer.") == "undecided"


def test_words_are_read_as_in_every_task(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []

    def reads(text: str, **_: Any) -> ReplyReading:
        texts.append(text)
        return ReplyReading("refusal", text, "model")

    monkeypatch.setattr(worlds_reply, "read_reply", reads)
    told = "There is a gap in the table."
    assert reply_verdict(fixed(), told) == "plain refusal"
    for decided_by_form in ("£40", MISSING, "I don't know", "It is £45."):
        reply_verdict(fixed(), decided_by_form)
    assert texts == [told]


def test_a_long_reply_is_read_at_its_end_if_an_answer_is_marked_there() -> None:
    talk = "The index names the entry. " * (WIDEST // 20)
    assert reply_verdict(fixed(), f"{talk}\n\\boxed{{£40}}") == "right answer"
    assert reply_verdict(fixed(), f"{talk}\nAnswer: £40") == "right answer"
    assert reply_verdict(fixed(), f"<think>{talk}</think>£40") == "right answer"
    for unread in (f"{talk} £40", f"\\boxed{{£45}} {talk} \\boxed{{£40}}"):
        assert reply_verdict(fixed(), unread) == "undecided"


@pytest.mark.parametrize(
    "piece",
    [
        *("\n", "\n.", "\n- ", "```\n", " ", ".", "…", "?", "~~", "1", "a"),
        *("<answer>", "\\boxed{", "<think>", "</think>", "REFUSE_"),
    ],
)
def test_the_work_is_linear_in_the_reply(piece: str) -> None:
    def read(text: str) -> None:
        worlds_reply._structure.cache_clear()
        reply_verdict(fixed(), text)

    assert grows_linearly(read, piece, "b\nAnswer: £40")


@pytest.fixture(scope="module")
def styled() -> list[LabelledReply]:
    rows = [
        *quad_rows(71, 0, 120, DOMAINS),
        *quad_rows(72, 0, 24, layout="grounding"),
    ]
    return [reply for item in rows for reply in labelled(item, 1)]


@pytest.fixture(scope="module")
def hostiles() -> list[HostileReply]:
    return [reply for item in quad_rows(73, 0, 120) for reply in hostile(item)]


def test_of_9000_replies_in_seventeen_styles_none_is_misread(
    styled: list[LabelledReply],
) -> None:
    assert len(STYLES) == 17
    assert len(styled) > 9_000
    verdicts = [reply_verdict(reply.row, reply.text) for reply in styled]
    pairs = zip(styled, verdicts, strict=True)
    wrong = [pair for pair in pairs if pair[1] not in (pair[0].means, "undecided")]
    assert not wrong
    assert verdicts.count("undecided") < 0.1 * len(verdicts)


def test_of_6000_hostile_replies_none_is_misread(hostiles: list[HostileReply]) -> None:
    assert len(hostiles) > 6_000
    verdicts = [reply_verdict(reply.row, reply.text) for reply in hostiles]
    pairs = zip(hostiles, verdicts, strict=True)
    assert not [pair for pair in pairs if pair[1] not in pair[0].may_be]


MAY_BE = {
    "answer": {"right answer", "wrong answer", "undecided"},
    # several codes are none
    "refusal": {"right code", "other code", "plain refusal", "wrong", "undecided"},
    # an invented code is a code
    "nothing": {"wrong", "wrong answer", "other code", "undecided"},
    "mixed": {"wrong", "undecided"},
}
"""What may be made of a reply, by what two readers say that it is."""
FORMS = {
    "money": r"[£$€][\d.,]+",
    "time": r"\d\d:\d\d",
    "measure": r"[\d.]+ (?:mm|cm|m|km|kg|g|l)",
    "year": r"(?:1[5-9]|20)\d\d",
    "count": r"[\d.,]+",
    "flag": "yes|no",
}


def answer_type(golds: Sequence[str]) -> str:
    """Return the type of the gold answers, by their form."""
    for kind, form in FORMS.items():
        if golds and re.fullmatch(form, golds[0], re.IGNORECASE):
            return kind
    return "entity"


@pytest.mark.parametrize("due", ["ANSWER_CORRECTLY", MISSING])
@pytest.mark.parametrize(
    ("file", "number"), [("real.jsonl", 1_200), ("trained.jsonl", 100)]
)
def test_of_replies_of_real_models_and_of_a_trained_one_none_is_misread(
    file: str, number: int, due: str
) -> None:
    replies = real(file)
    assert len(replies) >= number
    misread = []
    for reply in replies:
        asked = fixed(
            due,
            perturbed_query=reply.question,
            answer_type=answer_type(reply.golds),
            original_answers=reply.golds,
            passages=reply.passages,
        )
        verdict = reply_verdict(asked, reply.reply)
        if verdict not in MAY_BE[reply.label]:
            misread.append((verdict, reply))
    assert not misread


def test_shares_count_the_verdicts() -> None:
    item = row(9, 0)
    replies = ["", "I don't know", "I cannot tell", "REFUSE_OTHER"]
    assert shares([item] * 4, replies) == {
        "wrong": 0.25,
        "plain refusal": 0.5,
        "other code": 0.25,
    }
    assert shares([], []) == {}
