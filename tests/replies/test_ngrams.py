"""The model of character n-grams that tells answers from refusals."""

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.ngrams import BITS, chances, hashes


def test_case_spaces_and_the_value_of_digits_make_no_difference() -> None:
    assert list(hashes("In  1987\n")) == list(hashes("in 2345"))
    assert list(hashes("in 1987")) != list(hashes("in 198"))


def test_answers_refusals_and_questions_back_are_told_apart_by_their_words() -> None:
    answers, declines, asks_back = chances("It was built in 1987 by Lena Dorn.")
    assert answers > 0.7 > 0.2 > max(declines, asks_back)
    answers, declines, asks_back = chances("The documents do not mention the price.")
    assert declines > 0.7 > 0.2 > max(answers, asks_back)
    answers, declines, asks_back = chances("Which of the two models do you mean?")
    assert asks_back > 0.7 > 0.2 > max(answers, declines)


@given(st.text())
def test_any_text_has_hash_values_andchances(text: str) -> None:
    values = hashes(text)
    assert values.size
    assert values.max() < 2**BITS
    assert all(0 <= chance <= 1 for chance in chances(text))
