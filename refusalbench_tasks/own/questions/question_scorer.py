"""Scores of written questions: how many of a chunk's questions the readers accept. Inspect finds them by name.

The work is imported when a scorer is made, because every `inspect` command imports this module.
"""

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN

SCORER = "question_scores"
RIVALS = 20
"""Other chunks that readers look at for each question with ten passages."""


@metric(scores="unreduced")
def question_metrics() -> Metric:
    """Return yield and acceptance by kind and reader, reasons for rejection, and cost per accepted question."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.own.questions.question_metrics import question_values

        return question_values(scores)

    return compute


@scorer(metrics=[question_metrics()])
def question_scores(
    corpus: str | None = None,
    passages: int = 1,
    rivals: int = RIVALS,
    closed_book: bool = False,
    keep_known: bool = False,
    self_reads: bool = False,
    cache: bool = True,
    seed: int = 0,
    max_failures: int = LONGEST_RUN,
) -> Scorer:
    """Score a chunk's questions by the role `reader`: accepted, rejected with a reason, or undecided.

    Readings that the log already holds for the same texts are used again, so scoring a log anew asks only for those
    that are missing.

    Args:
        corpus: The file of chunks from which the other passages come; needed with `passages=10`.
        passages: 1, or 10: then readers also say of other chunks whether they answer the question.
        rivals: With `passages=10`, how many other chunks they look at for each question.
        closed_book: Whether readers also answer without the chunk; a question that one of them answers so is left out.
        keep_known: With `closed_book`, keep such a question and mark it as known.
        self_reads: Whether the writer may read its own questions.
        cache: As in `question_writing`.
        seed: As in `question_writing`; also of the order of ten passages.
        max_failures: Failures of one reader in a row that stop the run with its error; 0 allows any number.
    """
    given = locals()
    from refusalbench_tasks.own.questions.question_scoring import QuestionScoring

    scoring = QuestionScoring(**given)

    async def score(state: TaskState, target: Target) -> Score:
        return await scoring.score(state)

    return score
