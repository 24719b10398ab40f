"""The model of character n-grams that tells answers from refusals."""

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.ngrams import BITS, chances, hashes


def test_case_spaces_and_the_value_of_digits_make_no_difference() -> None:
    assert list(hashes("In  1987\n")) == list(hashes("in 2345"))
    assert list(hashes("in 1987")) != list(hashes("in 198"))


def test_answers_and_refusals_are_told_apart_by_their_words() -> None:
    answers, declines = chances("It was built in 1987 by Lena Dorn.")
    assert answers > 0.7 > 0.2 > declines
    answers, declines = chances("The documents do not mention the price.")
    assert declines > 0.7 > 0.2 > answers


@given(st.text())
def test_any_text_has_hash_values_and_chances(text: str) -> None:
    values = hashes(text)
    assert values.size
    assert values.max() < 2**BITS
    assert all(0 <= chance <= 1 for chance in chances(text))
