"""The hedging metrics as an Inspect metric over the scores of `hedging_scores`; unreduced and lazy, as the others."""

from inspect_ai.scorer import Metric, SampleScore, Value, metric


@metric(scores="unreduced")
def hedging_metrics() -> Metric:
    """Return the main metrics of BLUFF-1000 by the protocol of the scores, each with `_stderr`, and some counts.

    `stderr` is that of the headline.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging import logged_numbers
        from refusalbench_tasks.metrics.hedging_table import of_scores

        return logged_numbers(of_scores(scores))

    return compute
