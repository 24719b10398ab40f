"""What counts as a citation of a passage."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.citations import (
    cited_numbers,
    count_citations,
    without_citations,
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It opened in 1987 [3].", [3]),
        ("a [1, 2][7] c [12;3]", [1, 2, 7, 12, 3]),
        ("a ［1］ and ［２］", [1, 2]),
        ("a【1†source】b【2†L3-L9】", [1, 2]),
        ("a[^1] b[^2]\n\n[^1]: the first passage\n[^2]: the second", [1, 2]),
        ("a [Passage 1] b [passages 2 and 3] c [Source: 4]", [1, 2, 3]),
        ("a [Document #4] [ref. 5] [doc 6] [Search result 7]", [4, 5, 6, 7]),
        ("a [1]–[3], [7]", [1, 2, 3, 7]),
        ("a [1] - and [4]", [1, 4]),
        ("a [1](https://example.org)", [1]),
    ],
)
def test_citations_in_the_forms_that_models_use(text: str, numbers: list[int]) -> None:
    assert cited_numbers(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "in [1987]",
        "[1987-1990]",
        "[x]",
        "[]",
        "[1.5]",
        "(3)",
        "[99999999999999999999]",
        "[" + "9" * 6000 + "]",
        "[-1]",
        "[Passage]",
        "[1 of 3]",
        "[not 1]",
        "[1",
        "1]",
        "[^note]",
    ],
)
def test_years_words_and_long_numbers_are_no_citations(text: str) -> None:
    assert cited_numbers(text) == []
    assert without_citations(text) == text


def test_a_range_counts_the_passages_that_exist() -> None:
    counts = count_citations("a [1]-[12]", 10, {0, 4})
    assert (counts.total, counts.existing, counts.signal) == (12, 10, 2)


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[1,",
        "[1-",
        "[1]-",
        "[ ",
        "[^1",
        "[passage ",
        "【1†",
        "[1†a",
        "\\[",
        "[1] and ",
    ],
)
def test_long_texts_take_linear_time(piece: str) -> None:
    began = time.process_time()
    cited_numbers(piece * 40_000)
    assert time.process_time() - began < 2


@given(st.text(alphabet="[] 1 2,-–†【】passage\\:\n"))
def test_what_is_taken_out_is_what_is_counted(text: str) -> None:
    assert (without_citations(text) != text) == bool(cited_numbers(text))
