"""What a reply comes to, and whether it is right."""

import pytest

from refusalbench_tasks.outcome import is_right, reply_outcome
from refusalbench_tasks.taxonomy import Label


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        (None, "decided"),
        ("truncated", "no_reply"),
        ("stopped_by_limit", "no_reply"),
        ("grader_failed", "unscored"),
        ("not_in_file", "unscored"),
    ],
)
def test_a_missing_reply_is_the_models_doing_and_an_undecided_one_ours(
    reason: str | None, outcome: str
) -> None:
    assert reply_outcome(reason) == outcome


def test_a_refusal_is_right_by_its_code_where_codes_were_asked_for() -> None:
    gold = Label.MISSING
    assert is_right(gold, Label.MISSING, None) is True
    assert is_right(gold, Label.OTHER, None) is False
    assert is_right(gold, Label.OTHER, None, codes=False) is True
    assert is_right(gold, Label.ANSWER, None, codes=False) is False
    # nobody read the code, and another one would be wrong
    assert is_right(gold, Label.MISSING, None, coded=False) is None


def test_an_answer_is_as_right_as_its_grade_and_a_false_refusal_never() -> None:
    assert is_right(Label.ANSWER, Label.ANSWER, None) is None
    assert is_right(Label.ANSWER, Label.ANSWER, True) is True
    assert is_right(Label.ANSWER, Label.MISSING, None) is False
    assert is_right(Label.ANSWER, None, True) is None
