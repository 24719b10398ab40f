"""The probability of a letter: token variants, votes, and numbers in words."""

import math
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.letters import (
    LetterReading,
    as_released,
    clipped,
    first_written,
    from_logprobs,
    from_votes,
    letter_of,
    stated_probability,
)


def ln(*shares: tuple[str, float]) -> list[tuple[str, float]]:
    return [(token, math.log(share)) for token, share in shares]


@pytest.mark.parametrize("token", ["A", " A", "a", "A.", "(A)", '"A"', "▁A", "A:", "**A**"])
def test_variants_of_a_letter(token: str) -> None:
    assert letter_of(token) == "A"


@pytest.mark.parametrize("token", ["", " ", "AB", "An", "C", "true", "1"])
def test_other_tokens_are_no_letter(token: str) -> None:
    assert letter_of(token) is None


def test_variants_are_summed() -> None:
    reading = from_logprobs(ln(("A", 0.95), (" B", 0.03), ("a", 0.01), ("The", 0.01)))
    assert reading
    assert reading.probability == pytest.approx(0.96 / 0.99)
    assert reading.mass == pytest.approx(0.99)


def test_a_sure_false_is_a_low_probability() -> None:
    reading = from_logprobs(ln(("B", 0.99), ("A", 0.01)))
    assert reading
    assert reading.probability == pytest.approx(0.01)


def test_one_letter_alone_is_nearly_sure() -> None:
    reading = from_logprobs(ln(("B", 0.7), ("The", 0.3)))
    assert reading
    assert reading.probability == 0.0
    assert reading.mass == pytest.approx(0.7)


def test_no_letter_is_no_probability() -> None:
    assert from_logprobs(ln(("The", 0.9))) is None
    assert from_logprobs([]) is None
    assert from_logprobs([("A", math.nan)]) is None
    assert from_logprobs([("A", -math.inf)]) is None


@pytest.mark.parametrize(
    ("tokens", "place"),
    [
        (["A"], 0),
        (["\n", "A"], 1),
        (["\n\n", "**", "A", "**"], 2),
        (["Ċ", "Ġ", "A"], 2),
        (["<0x0A>", "▁", "B"], 2),
        (["", "- ", "(", "a", ")"], 3),
        (["The", "A"], 0),
        (["<|endoftext|>", "A"], 0),
        (["\n", " "], None),
        ([], None),
    ],
)
def test_white_space_and_markup_are_passed_over(tokens: list[str], place: int | None) -> None:
    assert first_written(tokens) == place


@pytest.mark.parametrize(
    ("listed", "value"),
    [
        ([("A", 0.55), ("The", 0.45)], 0.55),
        ([("B", 0.60), ("The", 0.40)], 0.40),
        ([("A", 0.95), (" B", 0.03), ("a", 0.01)], 0.25),
        ([("A", 0.60), ("B", 0.20), (" A", 0.10), ("a", 0.05)], 0.20),
        ([("A", 0.80), ("B.", 0.10), ("B", 0.10)], 0.80 / 0.90),
    ],
)
def test_letters_as_the_released_code_reads_them(listed: list[tuple[str, float]], value: float) -> None:
    reading = as_released(ln(*listed))
    assert reading
    assert reading.probability == pytest.approx(value)


def test_no_released_number_is_made_up() -> None:
    assert as_released(ln(("The", 0.9))) is None
    assert as_released([]) is None
    assert as_released([("A", math.nan), ("B", -math.inf)]) is None


def test_votes_are_counted_among_the_letters() -> None:
    reading = from_votes(["A", "B", " a ", "A: true", "B (false)", "perhaps", ""])
    assert reading
    assert reading.probability == pytest.approx(3 / 5)
    assert reading.mass == pytest.approx(5 / 7)
    assert reading.resolution == pytest.approx(1 / 5)


def test_no_valid_vote_is_no_probability() -> None:
    assert from_votes(["A: false", "A or B", "Apple", "", "A\nB", "Because\nA"]) is None


def test_a_vote_may_be_followed_by_its_reasons() -> None:
    reading = from_votes(["A\n\nThe sources say so.", "**B**\nNo source", "\nB\nB"])
    assert reading
    assert reading.probability == pytest.approx(1 / 3)
    assert reading.mass == 1.0


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("0.75", 0.75),
        ("**0.75**", 0.75),
        ("1", 1.0),
        (".5", 0.5),
        ("75%", 0.75),
        ("Probability: 0.2", 0.2),
        ("0.30.", 0.3),
    ],
)
def test_a_number_alone_is_read(reply: str, value: float) -> None:
    assert stated_probability(reply) == pytest.approx(value)


@pytest.mark.parametrize("reply", ["", "75", "1.2", "-0.1", "0.7 or 0.8", "about 0.7", "101%", "high", "nan"])
def test_anything_else_is_not(reply: str) -> None:
    assert stated_probability(reply) is None


def test_the_official_clip() -> None:
    assert [clipped(x) for x in (0.0, 0.5, 1.0)] == [0.01, 0.5, 0.99]


@given(st.lists(st.tuples(st.text(max_size=3) | st.sampled_from(["A", "B", " b"]), st.floats())))
def test_any_alternatives_can_be_read(alternatives: list[tuple[str, float]]) -> None:
    reading = from_logprobs(alternatives)
    assert reading is None or 0 <= reading.probability <= 1


@given(st.lists(st.tuples(st.sampled_from(["A", "B", " b", "a", "The"]) | st.text(max_size=3), st.floats())))
def test_any_alternatives_can_be_read_as_released(alternatives: list[tuple[str, float]]) -> None:
    reading = as_released(alternatives)
    assert reading is None or 0 <= reading.probability <= 1


@given(st.text())
def test_any_reply_can_be_read(reply: str) -> None:
    value = stated_probability(reply)
    assert value is None or 0 <= value <= 1


def parts(reading: LetterReading | None) -> tuple[float, ...]:
    assert reading
    return astuple(reading)


def test_a_reading_says_its_mass_and_its_step() -> None:
    half, quarter = math.log(0.5), math.log(0.25)
    assert parts(from_logprobs([("A", half), (" b", quarter)])) == pytest.approx((2 / 3, 0.75, 0))
    # a logarithm just above 0 is a rounding error of the provider, and two variants may sum to more than 1
    assert parts(from_logprobs([("A", 1e-3), ("B", 0.0)])) == (0.5, 1, 0)
    assert parts(from_logprobs([("A", 0.0), ("a", 0.0)])) == (1, 1, 0)
    assert parts(from_votes(["A", "B", "A", "perhaps"])) == pytest.approx((2 / 3, 0.75, 1 / 3))


def test_a_reading_as_released_says_its_mass() -> None:
    half, quarter = math.log(0.5), math.log(0.25)
    assert parts(as_released([("A", half), ("B", quarter)])) == pytest.approx((2 / 3, 0.75, 0))
    assert parts(as_released([("A", quarter)])) == pytest.approx((0.25, 0.25, 0))
    assert parts(as_released([("B", quarter)])) == pytest.approx((0.75, 0.25, 0))
    assert parts(as_released([("A", 0.0), ("B", 0.0)])) == (0.5, 1, 0)


@pytest.mark.parametrize("listed", [[("A", 5.0), ("B", 4.0)], [("A", math.inf)], [("A", -0.1), ("B", 0.3)]])
def test_log_probabilities_above_zero_are_no_confidence(listed: list[tuple[str, float]]) -> None:
    assert from_logprobs(listed) is None
    assert as_released(listed) is None


@pytest.mark.parametrize(("reply", "value"), [("0", 0.0), ("1", 1.0), ("0 %", 0.0), ("0.5.", 0.5), ("101%", None)])
def test_the_ends_of_the_range_are_probabilities(reply: str, value: float | None) -> None:
    assert stated_probability(reply) == value
