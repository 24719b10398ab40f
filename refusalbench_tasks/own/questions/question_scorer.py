"""Scores of written questions: how many of a chunk's questions the readers accept.

Inspect finds them by name.

The work is imported when a scorer is made, because every `inspect` command imports this
module.
"""

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from refusalbench_tasks.generators.kit.panel import LONGEST_RUN

SCORER = "question_scores"
ROLE = "reader"
RIVALS = 8
"""Other chunks that a reader looks at for each question."""


@metric(scores="unreduced")
def question_metrics() -> Metric:
    """Return yield and acceptance by kind and reader, reasons for rejection, and cost
    per accepted question.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.own.questions.metrics import question_values

        return question_values(scores)

    return compute


@scorer(metrics=[question_metrics()])
def question_scores(
    corpus: str,
    rivals: int = RIVALS,
    conflicts: str = "drop",
    cache: bool = True,
    seed: int = 0,
    max_failures: int = LONGEST_RUN,
) -> Scorer:
    """Score a chunk's questions by the role `reader`: accepted, rejected with a reason,
    or undecided.

    Readings that the log already holds for the same texts are used again, so scoring a
    log anew asks only for those that are missing.

    Args:
        corpus: The file of chunks in which other answers are looked for.
        rivals: At how many other chunks the first reader looks for each question; 0
            leaves that out.
        conflicts: What to do with a question that another chunk answers otherwise:
            drop, or keep and mark it.
        cache: As in `question_writing`.
        seed: As in `question_writing`.
        max_failures: Failures of one reader in a row that stop the run with its error;
            0 allows any number.
    """
    given = locals()
    from refusalbench_tasks.own.questions.judging import QuestionScoring

    scoring = QuestionScoring(**given)

    async def score(state: TaskState, target: Target) -> Score:
        return await scoring.score(state)

    return score
