"""What is left of a reply when its form is taken off, and that no form holds it up."""

import pytest

from refusalbench_tasks.replies.structure import plain_words, read_structure
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    "text, words",
    [
        ("| a | b |\n|:--|--:|\n| 1 | 2 |", "| a | b |\n\n| 1 | 2 |"),
        ("a\n---\nb", "a\n\nb"),
        (" -- | -- \nb", "b"),
        ("--- a", "--- a"),
        ("- a\n- b", "a\nb"),
    ],
)
def test_rules_and_the_lines_below_heads_of_tables_are_taken_off(
    text: str, words: str
) -> None:
    assert plain_words(text) == words


@pytest.mark.parametrize("end", ["", "x"])
@pytest.mark.parametrize(
    "piece", [" ", "\n", "-", "-- ", "--|", ":--:", "| ", " \n", "- ", "\t-"]
)
def test_a_text_of_blanks_or_marks_costs_linear_work(piece: str, end: str) -> None:
    assert grows_linearly(plain_words, piece, end)


@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "<think",
        "<think>a</think>",
        "</think>",
        "<think><reasoning>",
        "<answer>",
    ],
)
def test_many_tags_of_reasoning_cost_linear_work(piece: str) -> None:
    assert grows_linearly(read_structure, piece, "x")
