"""One rule for what a sentence is."""

import pytest

from refusalbench_tasks.replies.sentences import sentences


@pytest.mark.parametrize(
    "parts",
    [
        ["Dr. Lund paid 3.5 million.", "It was, e.g., a loan."],
        ["It cost 3.5 million.", "Later it closed!", "1990 was bad."],
        [
            "Dr. Ada Smith opened it on No. 5 Main St. Mary Lane in 1987 [3].",
            "It cost U.S. $3.5 million.",
        ],
        ["Mr. J. R. Smith left at 5 p.m.", "Then it closed."],
    ],
)
def test_decimals_titles_and_citations_do_not_end_a_sentence(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


def test_what_holds_no_word_is_no_sentence() -> None:
    assert sentences("") == sentences(" ... ") == []
