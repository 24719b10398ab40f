"""Alias match says yes only where it is sure."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.abstention import is_plain_refusal
from refusalbench_tasks.replies.alias import gives_alias
from refusalbench_tasks.replies.plain_text import plain_text


@pytest.mark.parametrize(
    ("reply", "alias"),
    [
        ("1987", "1987"),
        ("The Tarn Bridge", "tarn bridge"),
        ("The designer: it was **Maren Holt** [2].", "designer it was Maren Holt"),
        ("According to the passage, it was Maren Holt [1-3].", "Maren Holt"),
        ("1,200 metres", "1200 metres"),
        ("It's O’Neill", "O'Neill"),
        ("It was No Man's Hill.", "No Man's Hill"),
        ("> the Maren Holt!", "Maren Holt"),
        ("١٩٨٧", "1987"),
        ("答案是1987年。", "1987"),
        ("उत्तर हिन्दी है।", "हिन्दी"),
    ],
)
def test_clear_answers_match(reply: str, alias: str) -> None:
    assert gives_alias(reply, ["zzz", alias])


@pytest.mark.parametrize(
    ("question", "reply", "alias"),
    [
        ("Who founded the mill?", "Ada Brook founded the mill [1].", "Ada Brook"),
        ("When did the mill open?", "It opened in 1987.", "1987"),
        (
            "What was the verdict in the trial?",
            "The verdict in the trial was not guilty.",
            "not guilty",
        ),
        (
            "It has stood there for long; who designed it?",
            "Edda Lindqvist designed it.",
            "Edda Lindqvist",
        ),
        ("Wer gründete die Mühle?", "Ada Brook gründete die Mühle.", "Ada Brook"),
    ],
)
def test_the_questions_own_words_may_stand_around_an_answer(
    question: str, reply: str, alias: str
) -> None:
    assert gives_alias(reply, [alias], question)
    assert not gives_alias(reply, [alias])


@pytest.mark.parametrize(
    "reply",
    [
        "There is nothing on Ada Brook founding the mill.",
        "The text lacks any statement that Ada Brook founded it.",
        "Ada Brook is ruled out: the founder was Ben Hill.",
        "Ben Hill, the rival of Ada Brook.",
        "The daughter of Ada Brook.",
        "Ada Brook hasn't founded the mill.",
        "Ben Hill and Ada Brook.",
        "Nobody called Ada Brook founded it.",
        "Anyone besides Ada Brook.",
        "Ada Brook/Ben Hill",
        "Ada Brook?",
        "¿Ada Brook?",
        "!Ada Brook",
        "≠ Ada Brook",
        "~~Ada Brook~~",
        "Ada Brook ❌",
        "Ada Brook...",
        "Ada Brook (not)",
        "Ada Brook - not",
        "anti-Ada Brook",
        "Ada Brook's",
        "It wasn't Ada Brook.",
        "I'm Ada Brook.",
        "Either Ada Brook or Ben Hill.",
        "It may be Ada Brook",
        "B. Brook",
        "The text does not mention Ada Brook.",
        "不是Ada Brook",
        "Ada Brookではありません。",
        "Ada Brook이 아닙니다.",
        "ليست Ada Brook",
        "Rien n’indique que ce soit Ada Brook.",
        "Ada Brook ist es nicht.",
        "Это не Ada Brook.",
        "Ada Brook नहीं है",
        "Adabrook",
        "Ada Brook, 1987",
        "",
        "Ada Brook did not found the mill",
        "A\u0336da Brook",
        "\u202eAda Brook",
    ],
)
def test_whatever_says_more_than_the_answer_is_left_to_a_reader(reply: str) -> None:
    assert not gives_alias(reply, ["Ada Brook", "Brook"], "Who founded the mill?")


def test_long_replies_take_linear_time() -> None:
    began = time.process_time()
    for piece in ("Ada Brook ", "the answer is ", "**", "- ", "1,2", "> "):
        gives_alias(piece * 10_000, ["Ada Brook"], piece * 10_000)
    assert time.process_time() - began < 10


@given(st.text(), st.lists(st.text(), max_size=3), st.text())
def test_never_raises(reply: str, aliases: list[str], question: str) -> None:
    gives_alias(reply, aliases, question)


@given(st.text(min_size=1))
def test_every_alias_that_says_something_matches_itself(alias: str) -> None:
    if plain_text(alias) and not is_plain_refusal(alias):
        assert gives_alias(alias, [alias])
