"""What two answers must share to be one."""

import pytest

from refusalbench_tasks.replies.alias import answer_tokens, equals_alias, gives_alias


@pytest.mark.parametrize(
    ("alias", "reply"),
    [
        ("5", "-5"),
        ("-5", "5"),
        ("A+", "A"),
        ("A+", "A-"),
        ("C++", "C"),
        ("102", "10²"),
        ("5", "5%"),
        ("1914", "1914-1918"),
        ("5", ".5"),
        ("5", "5'"),
        ("12", "1/2"),
        ("3.5", "3,5"),
        ("हिन्दी", "हिन्दु"),
        ("Brook", "A. Brook"),
        ("5", "> 5"),
        ("5", "~5"),
        ("5", "≥ 5"),
        ("guilty", "not guilty"),
        ("37", "37年"),
        ("37", "in 37"),
        ("1987", "19870"),
        ("5", "$5"),
        ("unknown", "unknown"),
        ("Not answerable", "not answerable."),
    ],
)
def test_signs_and_marks_that_change_an_answer_are_seen(alias: str, reply: str) -> None:
    assert not gives_alias(reply, [alias])


def test_equal_but_for_dress() -> None:
    assert equals_alias('"The Tarn Bridge" [1].', ["tarn bridge"])
    assert not equals_alias("It was the Tarn Bridge", ["Tarn Bridge"])
    assert answer_tokens("1,234.5 and the 3.50") == ["1234.5", "and", "3.50"]
