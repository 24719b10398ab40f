"""Refusals that can be told by their words alone, and those that can't."""

import pytest

from refusalbench_tasks.replies.abstention import (
    has_refusal_phrase,
    is_plain_refusal,
    may_still_answer,
)
from tests.golden import golden, needs_golden


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know",
        "Sorry, I don't know the answer.",
        "I cannot answer this question from the given sources.",
        "Unknown.",
    ],
)
def test_a_line_that_only_declines_is_a_refusal(answer: str) -> None:
    assert is_plain_refusal(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "While I don't know the date, it was in Rome.",
        "I don't know who, but it was in 1900.",
        'It is said that "I don\'t know" was his answer.',
        "The sources do not say.",
        "Unknown Pleasures",
        "",
    ],
)
def test_a_line_that_says_more_needs_a_reader(answer: str) -> None:
    assert not is_plain_refusal(answer)


@pytest.mark.parametrize(
    "explanation",
    [
        "",
        "Two passages disagree. The evidence is insufficient.",
        "I am not confident in any of the pages",
    ],
)
def test_reasons_for_a_refusal_are_no_answer(explanation: str) -> None:
    assert not may_still_answer(explanation)


@pytest.mark.parametrize(
    "explanation",
    [
        "Still, Ada Brook founded it.",
        "The sources are unclear.\nIt was Ada Brook.",
    ],
)
def test_what_may_answer_after_a_refusal_needs_a_reader(explanation: str) -> None:
    assert may_still_answer(explanation)


@needs_golden
def test_official_code_takes_the_literal_phrase_anywhere() -> None:
    for case in golden("refusal"):
        assert is_plain_refusal(case["text"], "official-code") is case["refusal"]


def test_the_released_phrase_is_looked_for_anywhere_in_a_text() -> None:
    assert has_refusal_phrase("It was so.\nStill, I DON'T KNOW why.")
    assert not has_refusal_phrase("I don’t know. I do not know. I don't\nknow.")
