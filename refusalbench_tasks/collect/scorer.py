"""Scores of collected records: whether the panel of readers accepts them.

Inspect finds them by name.

The work is imported when a scorer is made, because every `inspect` command imports this
module.
"""

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

from .settings import RecordSettings


@metric(scores="unreduced")
def collection_metrics() -> Metric:
    """Return yields by stage, topic and reason, shortfalls, and cost per accepted
    record.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from .metrics import collection_values

        return collection_values(scores)

    return compute


@scorer(metrics=[collection_metrics()])
def collection_scores(**given: Any) -> Scorer:
    """Score a record by the role `verifier`: accepted, rejected with stage and reason,
    or undecided.

    Readings that the log already holds of the same text are used again, so scoring a
    log anew asks only for those that are missing.

    Args:
        **given: Arguments of `RecordSettings`; what is not given is as the run had it.
    """
    from .panel import score_record

    settings = RunSettings(RecordSettings, given)
    failures = once_a_run(Failures)

    async def score(state: TaskState, target: Target) -> Score:
        return await score_record(
            state,
            settings.of(state),
            failures,
        )

    return score
