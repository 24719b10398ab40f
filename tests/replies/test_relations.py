"""How a reply stands to its question, passages and gold answers, in numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.relations import (
    NUMBERS,
    comparable_words,
    relations_of,
    without_question,
)
from tests.growth import grows_linearly

QUESTION = "When did the bridge open?"
PASSAGE = "The Sorrel bridge opened on 3 May 1931 after two years of work."


@given(st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_any_reply_has_all_its_numbers(
    text: str, question: str, passages: list[str]
) -> None:
    numbers = relations_of(text, question, passages)
    assert len(numbers) == NUMBERS
    assert all(0 <= number <= 3 for number in numbers)


@pytest.mark.parametrize("piece", [".", "?", ".!", "\n"])
def test_a_long_run_of_stops_takes_linear_time(piece: str) -> None:
    assert grows_linearly(relations_of, piece, "x")


def test_words_of_scripts_without_spaces_are_pairs_of_characters() -> None:
    assert comparable_words("The Bridge, 1931") == ["the", "bridge", "1931"]
    assert comparable_words("橋は1931年") == ["橋は", "は1", "19", "93", "31", "1年"]


def test_nothing_beside_a_reply_leaves_zeros() -> None:
    assert not any(relations_of("It opened in 1931.")[10:])


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("Opened on 3 May 1931.", 1.0),
        ("Opened in May 1932.", 1 / 3),
        ("Nobody knows.", 0.0),
    ],
)
def test_words_that_the_question_lacks_are_looked_up_in_the_passages(
    text: str, copied: float
) -> None:
    asked = "When was it opened?"
    assert relations_of(text, asked, [PASSAGE])[14] == pytest.approx(copied)


def test_a_loop_is_seen() -> None:
    once = relations_of("The bridge is open on weekdays only.")
    often = relations_of("The bridge is open on weekdays only. " * 8)
    assert (once[0], once[1]) == (0.0, False)
    assert often[0] > 0.8
    assert often[1]


def test_longer_words_of_the_question_are_one_sign() -> None:
    assert (
        without_question("The bridge, when it did OPEN, was red.", QUESTION)
        == "The ¤ it did ¤, was red."
    )
    assert without_question("It was red.", "") == "It was red."
