"""The probability of a letter: token variants, votes, and numbers in words."""

import math
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.ab_probability import (
    LetterReading,
    as_released,
    clipped,
    first_written,
    from_logprobs,
    from_votes,
    letter_of,
    stated_probability,
)

Shares = list[tuple[str, float]]


def ln(shares: Shares) -> Shares:
    return [(token, math.log(share)) for token, share in shares]


def parts(reading: LetterReading | None) -> tuple[float, ...] | None:
    """Return the probability and the mass of a reading."""
    return astuple(reading) if reading else None


@pytest.mark.parametrize(
    "token", ["A", " A", "a", "A.", "(A)", '"A"', "▁A", "A:", "**A**"]
)
def test_variants_of_a_letter(token: str) -> None:
    assert letter_of(token) == "A"


@pytest.mark.parametrize(
    ("listed", "probability", "mass"),
    [
        ([("A", 0.95), (" B", 0.03), ("a", 0.01), ("The", 0.01)], 0.96 / 0.99, 0.99),
        ([("B", 0.99), ("A", 0.01)], 0.01, 1),
        ([("B", 0.7), ("The", 0.3)], 0, 0.7),
        # a logarithm just above 0 is a rounding error of the provider, and two variants
        # may sum to more than 1
        ([("A", 1.001), ("B", 1)], 0.5, 1),
        ([("A", 1), ("a", 1)], 1, 1),
    ],
)
def test_variants_are_summed(listed: Shares, probability: float, mass: float) -> None:
    assert parts(from_logprobs(ln(listed))) == pytest.approx(
        (probability, mass), abs=1e-3
    )


@pytest.mark.parametrize(
    ("listed", "probability", "mass"),
    [
        ([("A", 0.55), ("The", 0.45)], 0.55, 0.55),
        ([("B", 0.60), ("The", 0.40)], 0.40, 0.60),
        ([("A", 0.95), (" B", 0.03), ("a", 0.01)], 0.25, 0.04),
        ([("A", 0.80), ("B.", 0.10), ("B", 0.10)], 0.80 / 0.90, 0.90),
    ],
)
def test_letters_as_the_released_code_reads_them(
    listed: Shares, probability: float, mass: float
) -> None:
    assert parts(as_released(ln(listed))) == pytest.approx((probability, mass))


@pytest.mark.parametrize(
    "listed",
    [
        [],
        [("The", -0.1)],
        [("A", math.nan)],
        [("A", math.nan), ("B", -math.inf)],
        [("A", math.inf)],
        [("A", 5.0), ("B", 4.0)],
        [("A", -0.1), ("B", 0.3)],
    ],
)
def test_no_letter_and_impossible_log_probabilities_are_no_probability(
    listed: Shares,
) -> None:
    assert from_logprobs(listed) is None
    assert as_released(listed) is None


@pytest.mark.parametrize(
    ("tokens", "place"),
    [
        (["A"], 0),
        (["\n\n", "**", "A", "**"], 2),
        (["Ċ", "Ġ", "A"], 2),
        (["", "- ", "(", "a", ")"], 3),
        (["<|endoftext|>", "A"], 0),
        (["\n", " "], None),
    ],
)
def test_white_space_and_markup_are_passed_over(
    tokens: list[str], place: int | None
) -> None:
    assert first_written(tokens) == place


@pytest.mark.parametrize(
    ("votes", "due"),
    [
        (["A", "B", " a ", "A: true", "B (false)", "perhaps", ""], (3 / 5, 5 / 7)),
        (["A\n\nThe sources say so.", "**B**\nNo source", "\nB\nB"], (1 / 3, 1)),
        (["A: false", "A or B", "Apple", "", "A\nB", "Because\nA"], None),
    ],
)
def test_votes_are_counted_among_the_letters_and_may_have_reasons(
    votes: list[str], due: tuple[float] | None
) -> None:
    assert parts(from_votes(votes)) == (due and pytest.approx(due))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("0.75", 0.75),
        ("**0.75**", 0.75),
        ("0", 0),
        ("1", 1),
        (".5", 0.5),
        ("75%", 0.75),
        ("0 %", 0),
        ("Probability: 0.2", 0.2),
        ("0.30.", 0.3),
        ("", None),
        ("75", None),
        ("1.2", None),
        ("-0.1", None),
        ("0.7 or 0.8", None),
        ("about 0.7", None),
        ("101%", None),
        ("high", None),
        ("nan", None),
    ],
)
def test_a_number_alone_is_read_and_nothing_else(
    reply: str, value: float | None
) -> None:
    assert stated_probability(reply) == (
        value if value is None else pytest.approx(value)
    )


def test_the_official_clip() -> None:
    assert [clipped(x) for x in (0.0, 0.5, 1.0)] == [0.01, 0.5, 0.99]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "B", " b", "a", "The"]) | st.text(max_size=3),
            st.floats(),
        )
    )
)
def test_any_alternatives_can_be_read(alternatives: Shares) -> None:
    for reading in (from_logprobs(alternatives), as_released(alternatives)):
        assert reading is None or 0 <= reading.probability <= 1


@given(st.text())
def test_any_reply_can_be_read(reply: str) -> None:
    value = stated_probability(reply)
    assert value is None or 0 <= value <= 1
