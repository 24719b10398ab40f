"""How votes of graders become a decision."""

from dataclasses import replace

import pytest

from refusalbench_tasks.judging.label import Vote, grade_rubric
from refusalbench_tasks.scorers.refusal_decision import Decision, decide_by_votes
from refusalbench_tasks.taxonomy import Label

RUBRIC = grade_rubric(("1987",))
OPEN = Decision("text", "free text")


def vote(
    label: Label | None, grade: int | None = None, failure: str | None = None
) -> Vote:
    return Vote(
        "g", label, {} if grade is None else {"grade": float(grade)}, "because", failure
    )


def test_one_vote_decides_with_its_grade() -> None:
    for grade, right in ((5, True), (4, True), (3, False), (1, False)):
        decision = decide_by_votes(
            OPEN, [vote(Label.ANSWER, grade)], RUBRIC, answerable=True
        )
        assert (decision.label, decision.numbers.get("grade"), decision.correct) == (
            Label.ANSWER,
            grade,
            right,
        )
        assert decision.decided_by == "judge"


def test_a_panel_takes_the_majority_and_the_median_grade_of_its_winners() -> None:
    votes = [vote(Label.ANSWER, 5), vote(Label.ANSWER, 3), vote(Label.MISSING)]
    decision = decide_by_votes(OPEN, votes, RUBRIC, answerable=True)
    assert (decision.label, decision.numbers.get("grade"), decision.correct) == (
        Label.ANSWER,
        4.0,
        True,
    )


@pytest.mark.parametrize(
    ("votes", "reason"),
    [
        ([], "no_grader"),
        ([vote(None, failure="grader_refusal")], "grader_failed"),
        ([vote(Label.ANSWER, 5), vote(Label.MISSING)], "grader_disagreement"),
        (
            [vote(Label.ANSWER, 5), vote(Label.MISSING), vote(Label.OTHER)],
            "grader_disagreement",
        ),
    ],
)
def test_no_majority_is_no_verdict(votes: list[Vote], reason: str) -> None:
    decision = decide_by_votes(OPEN, votes, RUBRIC, answerable=True)
    assert (
        decision.label,
        decision.correct,
        decision.numbers.get("grade"),
        decision.reason,
    ) == (
        None,
        None,
        None,
        reason,
    )


@pytest.mark.parametrize(
    ("asking", "due"),
    [
        ((True, True, False), True),
        ((True, None, None), True),
        ((True, False), None),
        ((None, None), None),
    ],
)
def test_most_of_those_who_call_it_a_refusal_say_whether_it_asks_back(
    asking: tuple[bool | None, ...], due: bool | None
) -> None:
    votes = [replace(vote(Label.MISSING), asks_back=said) for said in asking]
    votes.append(replace(vote(Label.ANSWER, 5), asks_back=False))
    decision = decide_by_votes(OPEN, votes, RUBRIC, answerable=True)
    assert (decision.label, decision.asks_back) == (Label.MISSING, due)
