"""Scores of written questions: how many of a chunk's questions the readers accept.

Inspect finds them by name.

The work is imported when a scorer is made, because every `inspect` command imports this
module.
"""

from functools import cache, partial
from typing import Any

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

from refusalbench_tasks.generators.kit import once_a_run
from refusalbench_tasks.generators.kit.panel import Failures
from refusalbench_tasks.scorers.run_settings import RunSettings

from .question_settings import ReadingSettings


@metric(scores="unreduced")
def question_metrics() -> Metric:
    """Return yield and acceptance by kind and reader, reasons for rejection, and cost
    per accepted question.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from .metrics import question_values

        return question_values(scores)

    return compute


@scorer(metrics=[question_metrics()])
def question_scores(**given: Any) -> Scorer:
    """Score a chunk's questions by the role `reader`: accepted, rejected with a reason,
    or undecided.

    Readings that the log already holds for the same texts are used again, so scoring a
    log anew asks only for those that are missing.

    Args:
        **given: Arguments of `ReadingSettings`; what is not given is as the run had it.
    """
    from .question_scoring import QuestionScoring

    settings = RunSettings(ReadingSettings, given)
    scoring_by = cache(partial(QuestionScoring, once_a_run(Failures)))
    if "corpus" in given:
        # while the run is built, so that it shares the corpus that the task has read
        scoring_by(settings.alone)

    async def score(state: TaskState, target: Target) -> Score:
        return await scoring_by(settings.of(state)).score(state)

    return score
