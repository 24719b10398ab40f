"""Scores of collected records: whether the panel of readers accepts them.

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

SCORER = "collection_scores"


@metric(scores="unreduced")
def collection_metrics() -> Metric:
    """Return yields by stage, topic and reason, shortfalls, and cost per accepted
    record.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.collect.metrics import collection_values

        return collection_values(scores)

    return compute


@scorer(metrics=[collection_metrics()])
def collection_scores(
    self_reads: bool = False, cache: bool = True, seed: int = 0, max_failures: int = 20
) -> Scorer:
    """Score a record by the role `verifier`: accepted, rejected with stage and reason,
    or undecided.

    Readings that the log already holds of the same text are used again, so scoring a
    log anew asks only for those that are missing.

    Args:
        self_reads: Whether the writer may read its own records.
        cache: As in `collect`.
        seed: As in `collect`.
        max_failures: Failures of one reader in a row that stop the run with its error;
            0 allows any number.
    """
    from refusalbench_tasks.collect.scoring import score_record
    from refusalbench_tasks.generators.kit.calls import cache_policy

    policy = cache_policy(cache, seed)

    async def score(state: TaskState, target: Target) -> Score:
        return await score_record(state, self_reads, max_failures, policy)

    return score
