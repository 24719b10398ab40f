"""The metrics of a run that writes questions."""

from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.own.questions.metrics import question_values
from refusalbench_tasks.own.questions.question_scoring import (
    JudgedQuestion,
    NotedQuestions,
)

REASONS = ("check/", "rejected/", "undecided/")


def judged(accepted: bool | None, reason: str | None, *broken: str) -> JudgedQuestion:
    return JudgedQuestion(
        text="When?",
        kind="near miss",
        accepted=accepted,
        reason=reason,
        broken=broken,
    )


def test_a_question_counts_by_its_failed_checks_or_else_by_its_reason() -> None:
    questions = (
        judged(True, None),
        judged(False, "answer_unfit", "answer_unfit", "repeats_another"),
        judged(False, "reader_answered"),
        judged(None, "reader_failed"),
    )
    noted = NotedQuestions(questions=questions)
    score = Score(
        value={"calls": 0.0, "tokens": 0.0, "unscored": 0.0},
        answer="1 of 4",
        metadata=noted.model_dump(mode="json"),
    )
    values = question_values([SampleScore(score=score, sample_metadata={})])
    assert (values["acceptance"], values["acceptance_n"]) == (1 / 3, 3)
    assert (values["acceptance_low"], values["acceptance_high"]) == (1 / 4, 2 / 4)
    assert values["near_miss/accepted"] == 1
    counted = {name: n for name, n in values.items() if name.startswith(REASONS)}
    assert counted == {
        "check/answer_unfit": 1,
        "check/repeats_another": 1,
        "rejected/reader_answered": 1,
        "undecided/reader_failed": 1,
    }
