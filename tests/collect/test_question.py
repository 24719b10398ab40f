"""The checks on a question."""

import pytest

from refusalbench_tasks.collect.question import SourcedQuestion, broken_checks

PASSAGE = (
    "Who dug the Karsby lock? Nobody knows. No barge above 84 tonnes is let into the"
    " Karsby lock, by an old rule."
)


GOOD = {
    "question": "How heavy may a barge be in the Karsby lock?",
    "answer": "84 tonnes",
    "support": "No barge above 84 tonnes is let into the Karsby lock, by an old rule.",
    "aliases": (),
    "neighbour_query": "meadows and hay",
}


BREAKS = [
    ("not_one_question", {"question": "How heavy? How wide is the Karsby lock?"}),
    (
        "not_one_question",
        {"question": "How heavy may a barge be in the Karsby lock in 2024?"},
    ),
    ("not_one_question", {"question": "How heavy may a ```barge``` be?"}),
    ("copied", {"question": "Who dug the  Karsby lock?"}),
    ("support_not_in_passage", {"support": "Barges of 84 tonnes pass."}),
    ("answer_not_in_support", {"answer": "84 t"}),
    ("answer_not_in_support", {"answer": "4 tonnes"}),
    ("answer_not_in_support", {"answer": "84 tonne"}),
    (
        "answer_not_in_support",
        {"answer": "No barge above 84 tonnes is let into the Karsby lock, by an"},
    ),
    (
        "answer_in_question",
        {"question": "Does the Karsby lock take barges of 84 tonnes?"},
    ),
    (
        "neighbour_too_near",
        {"neighbour_query": "how heavy a barge may be in the Karsby lock"},
    ),
]


def test_a_good_question_breaks_no_check() -> None:
    assert broken_checks(SourcedQuestion.model_validate(GOOD), PASSAGE) == []


@pytest.mark.parametrize(("check", "change"), BREAKS)
def test_a_broken_check_is_named(check: str, change: dict[str, str]) -> None:
    assert check in broken_checks(
        SourcedQuestion.model_validate(GOOD | change), PASSAGE
    )
