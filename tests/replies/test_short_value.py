"""Replies of a few words that are answers by their form."""

import pytest

from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.short_value import is_value, may_be_value

PASSAGE = (
    "The lighthouse was built in 1923 by Lena Dorn, who was paid 410 crowns. Joren Hale kept it "
    "until 1950; whether it was lit in the war is not known. 桥由王小明设计。"
)


@pytest.mark.parametrize("reply", ["Lena Dorn", "joren hale.", "**410**", "1923 [1]", "in 1923 by Lena Dorn", "王小明"])
def test_a_few_words_of_the_passage_are_an_answer(reply: str) -> None:
    read = read_reply(reply, question="Who built it?", context=[PASSAGE])
    assert (read.kind, read.right) == ("answer", None)


@pytest.mark.parametrize("reply", ["Yes", "no", "**No.**", "Yes [2]", "Answer: yes"])
def test_yes_and_no_are_answers(reply: str) -> None:
    assert read_reply(reply, question="Was it lit?").kind == "answer"


@pytest.mark.parametrize("reply", ["no?", "Yes?", "Lena Dorn?", "1923？"])
def test_a_value_that_asks_asserts_nothing(reply: str) -> None:
    assert read_reply(reply, gold=["no"], context=[PASSAGE]).kind == "undecided"


@pytest.mark.parametrize(
    "text", ["is not known", "92", "Len", "Dorn Lena", "the lighthouse was built in 1923 by Lena Dorn who", ""]
)
def test_negations_pieces_of_words_and_long_copies_are_no_values(text: str) -> None:
    assert not is_value(text, [PASSAGE])


@pytest.mark.parametrize(
    "reply",
    [
        "The answer is: 1923.",
        "Answer: Tomas Arle",
        "**Final answer:** the old customs house",
        "I compared both registers.\n\nANSWER: Tomas Arle",
        r"So it is \boxed{Tomas Arle}",
        "<answer>Tomas Arle</answer>",
    ],
)
def test_a_few_words_where_an_answer_is_marked_are_an_answer(reply: str) -> None:
    assert read_reply(reply, question="Who built it?").kind == "answer"


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: insufficient information",
        "Answer: I don't know",
        "I read it twice.\nANSWER: The passages do not mention it.",
        '{"answer": "not stated in the documents"}',
    ],
)
def test_a_refusal_behind_the_cue_stays_one(reply: str) -> None:
    assert read_reply(reply, question="Who built it?").kind == "refusal"


@pytest.mark.parametrize("text", ["unclear", "not stated", "mill; relevance: 0", "a | b", "two\nlines"])
def test_doubt_and_several_fields_are_no_value(text: str) -> None:
    assert not may_be_value(text)
