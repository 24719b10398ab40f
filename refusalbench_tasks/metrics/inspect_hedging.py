"""The hedging metrics as Inspect metrics over the scores of `hedging_scores`; unreduced and lazy, as the others are."""

from inspect_ai.scorer import Metric, SampleScore, Value, metric


@metric(scores="unreduced")
def hedging_metrics() -> Metric:
    """Return the metrics of BLUFF-1000, by the protocol of the scores."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_values import main_values
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        return main_values(hedging_rows(scores).published)

    return compute


@metric(scores="unreduced")
def hedging_counts() -> Metric:
    """Return how many replies and pairs there are, how they were decided, and why some are missing."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_counts import counts
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        return counts(hedging_rows(scores).published)

    return compute


@metric(scores="unreduced")
def hedging_calibration() -> Metric:
    """Return ECE over ten bins, Brier, and the correlation of confidence with correctness."""

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_calibration import calibration_uncertainty, calibration_values
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        rows = hedging_rows(scores).published
        return {**calibration_values(rows), **calibration_uncertainty(rows)}

    return compute


@metric(scores="unreduced")
def hedging_effects(resamples: int = 1000, seed: int = 0) -> Metric:
    """Return the paired differences of the arms, with intervals by question and p for exchanging the arms.

    Args:
        resamples: Bootstrap resamples and permutations.
        seed: Seed of both.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_effects import effects
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        return effects(hedging_rows(scores).published, resamples, seed)

    return compute


@metric(scores="unreduced")
def hedging_arms(resamples: int = 1000, seed: int = 0) -> Metric:
    """Return what replies do under each kind of sources, and at equal length, with intervals by question.

    Args:
        resamples: Bootstrap resamples.
        seed: Their seed.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_arms import arm_values
        from refusalbench_tasks.metrics.hedging_contrasts import at_equal_length
        from refusalbench_tasks.metrics.hedging_repeats import repeat_values
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        rows = hedging_rows(scores)
        published = rows.published
        return (
            arm_values(rows, resamples, seed) | at_equal_length(published, resamples, seed) | repeat_values(published)
        )

    return compute


@metric(scores="unreduced")
def hedging_signs(resamples: int = 1000, seed: int = 0) -> Metric:
    """Return whether confidence and hedges tell wrong answers from right ones, with intervals by question.

    Args:
        resamples: Bootstrap resamples.
        seed: Their seed.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_contrasts import hedged_against_plain
        from refusalbench_tasks.metrics.hedging_judged import position_values, wording_values
        from refusalbench_tasks.metrics.hedging_selective import selective_values
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        rows = hedging_rows(scores).published
        asked = wording_values(rows, resamples, seed) | position_values(rows, resamples, seed)
        return selective_values(rows, resamples, seed) | hedged_against_plain(rows, resamples, seed) | asked

    return compute


@metric(scores="unreduced")
def hedging_factors(resamples: int = 1000, seed: int = 0) -> Metric:
    """Return what reliability, conflict and sufficiency of the sources do, and rates by kind of ambiguity.

    Nothing where the data tell neither.

    Args:
        resamples: Bootstrap resamples.
        seed: Their seed.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging_factors import effect_values
        from refusalbench_tasks.metrics.hedging_kinds import kind_values
        from refusalbench_tasks.metrics.score_reading import hedging_rows

        rows = hedging_rows(scores).published
        return effect_values(rows, resamples, seed) | kind_values(rows)

    return compute
