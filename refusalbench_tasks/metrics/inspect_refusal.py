"""The refusal metrics as Inspect metrics over the scores of `refusal_scores`.

All are unreduced: Inspect's default reducer would average the epochs of a sample before the metric sees them, and an
average of labels means nothing. The arithmetic is imported when a metric runs, because every `inspect` command imports
this module and few need numpy.
"""

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from refusalbench_tasks.errors import one_of
from refusalbench_tasks.outcome import Cluster


@metric(scores="unreduced")
def refusal_metrics() -> Metric:
    """Return the paper's metrics over the perturbed rows (App. D), and the clean controls' two rates beside them."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_values import main_rates
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return main_rates(refusal_rows(scores))

    return compute


@metric(scores="unreduced")
def refusal_counts() -> Metric:
    """Return how many rows there are of each kind, how they were decided, and why some were not."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_values import row_counts
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return row_counts(refusal_rows(scores))

    return compute


@metric(scores="unreduced")
def refusal_intervals(resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None) -> Metric:
    """Return n, standard errors (jackknife and bootstrap) and 95 % percentile interval of the rates.

    Args:
        resamples: Bootstrap resamples.
        seed: Seed of the bootstrap.
        cluster: `question` resamples base questions; `row` takes rows for independent, for comparison with the paper.
            Without it as the run was told.
    """
    if cluster is not None:
        one_of("cluster", cluster, Cluster)

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_values import intervals
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return intervals(refusal_rows(scores), resamples, seed, cluster)

    return compute


@metric(scores="unreduced")
def refusal_breakdown() -> Metric:
    """Return four rates and n by class, intensity and generator, as `GROUP/METRIC`; only groups that occur."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_groups import by_group
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return by_group(refusal_rows(scores))

    return compute


@metric(scores="unreduced")
def calibration_metrics() -> Metric:
    """Return ECE over five bins, Brier and the reliability table, where a confidence was asked for."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_calibration import calibration
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return calibration(refusal_rows(scores))

    return compute


@metric(scores="unreduced")
def grounding_metrics() -> Metric:
    """Return answer quality on ten passages, and how answers cite."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_values import grounding
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return grounding(refusal_rows(scores))

    return compute


@metric(scores="unreduced")
def reply_kinds() -> Metric:
    """Return the share of each of the six kinds of reply (paper, Fig. 26) among those known to be right or wrong."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.refusal_values import kinds
        from refusalbench_tasks.metrics.score_reading import refusal_rows

        return kinds(refusal_rows(scores))

    return compute
