"""The refusal metrics as an Inspect metric over the scores of `refusal_scores` and `grounded_scores`.

It is unreduced, so `--epochs-reducer` has no effect on it: a reducer would average the epochs of a sample before the
metric sees them, and an average of labels means nothing. The arithmetic is imported when the metric runs, because every
`inspect` command imports this module and few need numpy.
"""

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from refusalbench_tasks.errors import one_of
from refusalbench_tasks.outcome import Cluster


@metric(scores="unreduced")
def refusal_metrics(cluster: Cluster | None = None) -> Metric:
    """Return the paper's main metrics (App. D), each with `_stderr`, and as `stderr` that of the headline.

    Args:
        cluster: `question` resamples base questions; `row` takes rows for independent, for comparison with the paper.
            Without it as the run was told.
    """
    if cluster is not None:
        one_of("cluster", cluster, Cluster)

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_numbers import logged_numbers
        from refusalbench_tasks.metrics.reply_table import of_scores

        return logged_numbers(of_scores(scores), cluster)

    return compute
