"""Text as the words in which terms of a list are looked for."""

import pytest

from refusalbench_tasks.replies.normal_words import (
    is_number,
    month_as_name,
    normal_words,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It’s 6.2 km, “roughly”.", ["it's", "6", "2", "km", "roughly", "."]),
        ("Is it?\nYes!", ["is", "it", ".", ".", "yes", "."]),
        ("the 'text' - state-of-the-art", ["the", "text", "state", "of", "the", "art"]),
        ("so\u00adcalled zero\u200bwidth…", ["socalled", "zerowidth", "."]),
        ("", []),
    ],
)
def test_signs_are_dropped_and_a_stop_is_a_word(text: str, words: list[str]) -> None:
    assert normal_words(text) == words


@pytest.mark.parametrize("word", ["6", "£20", "twelve", "dozen"])
def test_numbers_are_known_in_digits_and_letters(word: str) -> None:
    assert is_number(word)
    assert not is_number(f"x{word}")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("It opened in May 1987.", "It opened in Mayo 1987."),
        ("May was warm.", "Mayo was warm."),
        ("May it rest.", "May it rest."),
        ("So. \n May the sources differ?", "So. \n May the sources differ?"),
        ("In May the sources differ.", "In Mayo the sources differ."),
    ],
)
def test_the_month_of_may_is_no_verb(text: str, changed: str) -> None:
    assert month_as_name(text) == changed
