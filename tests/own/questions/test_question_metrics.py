"""The metrics of a run, worked by hand."""

import math
from typing import Any

from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.own.questions.outcome import NotedQuestions, Outcome
from refusalbench_tasks.own.questions.question_metrics import question_values
from refusalbench_tasks.own.questions.reading import Book, Reading, is_known, verdict


def reading(name: str, gold: bool | None, answered: bool | None = True, book: Book = "open") -> Reading:
    spent = Spent(calls=1, tokens=10)
    return Reading(reader=name, book=book, digest="d", answered=answered, gold=gold, spent=spent)


def outcome(kind: str, accepted: bool | None, reason: str | None = None, **more: Any) -> Outcome:
    return Outcome(text="?", kind=kind, accepted=accepted, reason=reason, **more)


def sample(noted: NotedQuestions, calls: float, reason: str | None = None) -> SampleScore:
    value = {"calls": calls, "tokens": 10 * calls, "unscored": float(reason is not None)}
    score = Score(value=value, reason=reason, metadata=noted.model_dump(mode="json"))
    return SampleScore(score=score, sample_metadata={"planned": 5})


def test_the_numbers_of_three_chunks() -> None:
    first = NotedQuestions(
        questions=(
            outcome(
                "who", True, readings=(reading("a", True), reading("b", True), reading("a", None, False, "closed"))
            ),
            outcome("who", False, "reader_other_answer", readings=(reading("a", True), reading("b", False))),
            outcome("when", False, "speaks_of_text", broken=("speaks_of_text", "subject_unnamed")),
        ),
        repaired=("speaks_of_text", "speaks_of_text"),
        withdrawn=1,
    )
    second = NotedQuestions(questions=(outcome("why", None, "reader_failed", readings=(reading("a", None, None),)),))
    found = question_values([sample(first, 8), sample(second, 2), sample(NotedQuestions(), 2, "grader_refusal")])
    wanted = {
        "n_chunks": 3, "n_chunks_unscored": 1, "n_chunks_without_question": 0, "n_questions": 4, "n_accepted": 1,
        "n_rejected": 2, "n_undecided": 1, "n_withdrawn": 1, "acceptance": 1 / 3, "acceptance_n": 3,
        "acceptance_low": 1 / 4, "acceptance_high": 2 / 4, "acceptance_bounds_n": 4, "yield": 1 / 5, "yield_n": 5,
        "calls": 12, "calls_per_accepted": 12, "tokens_per_accepted": 120, "chunk/grader_refusal": 1,
        "when/accepted": 0, "when/acceptance": 0, "when/n": 1, "who/accepted": 1, "who/acceptance": 1 / 2, "who/n": 2,
        "rule/speaks_of_text": 1, "rule/subject_unnamed": 1, "first/speaks_of_text": 2,
        "rejected/reader_other_answer": 1, "undecided/reader_failed": 1,
        "a/gold": 1.0, "a/n": 2, "a/missing": 1, "b/gold": 1 / 2, "b/n": 2, "b/missing": 0,
        "known_n": 0, "known_missing": 1,
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted
    assert math.isnan(found["known"])
    assert found.keys() == wanted.keys() | {"known"}


def test_of_nothing_nothing_is_known() -> None:
    found = question_values([])
    assert math.isnan(found["acceptance"])
    assert math.isnan(found["yield"])
    assert found["n_questions"] == 0


def test_an_objection_comes_before_a_failure_and_a_failure_before_acceptance() -> None:
    good, bad, lost = reading("a", True), reading("b", False), reading("c", None, None)
    unsure, silent = reading("d", None), reading("e", None, False)
    assert verdict([good, good]) == (True, None)
    assert verdict([good, lost]) == (None, "reader_failed")
    assert verdict([lost, bad]) == (False, "reader_other_answer")
    assert verdict([unsure]) == (False, "reader_undecided")
    assert verdict([silent, bad]) == (False, "reader_unanswered")
    assert verdict([]) == (None, "reader_failed")


def test_a_question_is_known_if_one_reader_knows_it() -> None:
    assert is_known([reading("a", False), reading("b", True)]) is True
    assert is_known([reading("a", None, None), reading("b", True)]) is True
    assert is_known([reading("a", None), reading("b", None, False)]) is False
    assert is_known([reading("a", False), reading("b", None, None)]) is None
    assert is_known([]) is None
