"""What a writer gives, as a question."""

from refusalbench_tasks.own.questions.draft import (
    QuestionDraft,
    aliases_of,
    question_of,
)
from tests.own.questions.panel import (
    NEAR_MISS,
    chunk_of,
)

SULA = chunk_of("Sula")


def test_a_wrong_alias_is_left_out() -> None:
    assert aliases_of("Ines Falk", ("Captain Falk", "ines falk", "Tom Reed")) == (
        "Ines Falk",
        "Captain Falk",
    )
    assert aliases_of("180", ("180 passengers", "240")) == ("180", "180 passengers")


def test_an_unanswerable_question_has_a_starting_passage_and_no_answer() -> None:
    found = question_of(QuestionDraft.model_validate(NEAR_MISS), SULA)
    assert (found.answers, found.kind) == ((), "near miss")
    assert (
        SULA.text[found.start - SULA.start : found.end - SULA.start]
        == found.support
        == NEAR_MISS["support"]
    )
