"""What a share of refusals can be, by the measured errors of the reading."""

import math

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.reading_errors import (
    errors_sentence,
    reading_errors,
    share_bounds,
)


def test_shares_widen_by_the_undecided_and_by_the_errors_of_the_reading() -> None:
    errors = reading_errors()
    no_refusal, no_answer = errors.worst
    assert 0 < errors.no_refusal / errors.refusals < no_refusal < 0.2
    assert share_bounds(40, 50, 10) == pytest.approx(
        (0.4 * (1 - no_refusal), 0.5 + 0.5 * no_answer)
    )


def test_codes_and_gold_answers_have_no_such_error() -> None:
    assert share_bounds(0, 0, 0, coded=3, right=1) == (0.75, 0.75)


def test_without_replies_nothing_is_known() -> None:
    assert all(map(math.isnan, share_bounds(0, 0, 0)))


def test_a_sentence_says_what_the_readers_own_errors_are_and_of_what() -> None:
    errors = reading_errors()
    sentence = errors_sentence("ngrams")
    assert f"{errors.refusals} held-out test replies that the reader ngrams" in sentence
    for count in (errors.no_refusal, errors.answers, errors.no_answer):
        assert str(count) in sentence
    with pytest.raises(DataError, match="reader: unknown 'x'"):
        errors_sentence("x")
