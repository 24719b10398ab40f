"""Checks of a question: each one failed alone by hand, what passes all of them, and the
draw of chunks.
"""

import pytest

from refusalbench_tasks.generators.kit.checks import broken
from refusalbench_tasks.own.questions.draft import (
    QuestionDraft,
)
from refusalbench_tasks.own.questions.draft_checks import (
    CHECKS,
    Drafted,
    nearly_same,
)
from tests.own.questions.panel import (
    CREW,
    ELSEWHERE,
    NEAR_MISS,
    OUTSIDE,
    YARD,
    chunk_of,
)

SULA = chunk_of("Sula")


def draft(**changes: object) -> QuestionDraft:
    return QuestionDraft.model_validate(YARD | changes)


def failed(one: QuestionDraft, *others: QuestionDraft) -> set[str]:
    return set(broken(CHECKS, Drafted(one, SULA, others)))


@pytest.mark.parametrize("one", [YARD, CREW, *OUTSIDE])
def test_a_good_question_passes_every_check(one: dict[str, object]) -> None:
    assert failed(QuestionDraft.model_validate(one)) == set()


CASES = [
    ({"question": "In which year was the Sula built?! And where?"}, "not_one_question"),
    (
        {"question": "Tell me the year in which the Kessel yard built the Sula."},
        "not_one_question",
    ),
    (
        {"question": f"In which year was the Sula built {'and so on ' * 12}?"},
        "not_one_question",
    ),
    (
        {"question": "In which year was the Sula built, or is that REFUSE_OTHER?"},
        "not_one_question",
    ),
    ({"question": "In which year was the **Sula** built?"}, "not_one_question"),
    ({"support": "The Sula was built in 1998."}, "support_not_in_passage"),
    ({"support": SULA.text + " " + SULA.text}, "support_not_in_passage"),
    (NEAR_MISS | {"support": ""}, "support_not_in_passage"),
    ({"answer": "1999"}, "answer_not_in_support"),
    ({"answer": "2019"}, "answer_not_in_support"),
    (ELSEWHERE | {"answer": "5 crowns"}, "answer_not_in_support"),
    (
        {"question": "Was it in 1998 that the Kessel yard built the Sula?"},
        "answer_in_question",
    ),
    (
        {
            "question": "In which year of MCMXCVIII was the Sula built?",
            "aliases": ("MCMXCVIII",),
        },
        "answer_in_question",
    ),
    ({"answer": " ".join(SULA.text.split()[:30])}, "answer_unfit"),
    ({"answer": "unknown"}, "answer_unfit"),
]


@pytest.mark.parametrize(("changes", "name"), CASES)
def test_each_check_finds_what_fails_it(changes: dict[str, object], name: str) -> None:
    assert name in failed(draft(**changes))


def test_every_check_has_a_case_here() -> None:
    assert {case[1] for case in CASES} == CHECKS.keys() - {"repeats_another"}


def test_a_question_of_the_chunk_is_not_asked_again() -> None:
    again = draft(question="In which year, at the Kessel yard, was the Sula built?")
    assert failed(again, draft()) == {"repeats_another"}
    assert failed(draft(), QuestionDraft.model_validate(CREW)) == set()
    assert nearly_same("Wann öffnet das Museum?", "Wann öffnet das museum")
    assert not nearly_same("When was the Sula built?", "When was the Morwen built?")
