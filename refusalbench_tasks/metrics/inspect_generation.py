"""The metrics of a generation run, over the scores of `consensus_scores`; unreduced and lazy, as the others are."""

from inspect_ai.scorer import Metric, SampleScore, Value, metric


@metric(scores="unreduced")
def generation_metrics() -> Metric:
    """Return acceptance by class, intensity and verifier, rejection reasons, and calls and tokens per accepted item."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.generation_values import generation_values

        return generation_values(scores)

    return compute
