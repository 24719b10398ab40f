"""Two logs of `nq` or `garage`, row by row."""

import math

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.outcome import Outcome
from refusalbench_tasks.metrics.refusal import METRICS, Floats, count_rows, rates
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS
from refusalbench_tasks.report.compared import Comparison, Decision, differences
from refusalbench_tasks.report.replies import Replies
from refusalbench_tasks.stats.mcnemar import mcnemar

_CHOSEN = [METRICS.index(name) for name in WITH_INTERVALS]


def refusal_comparison(first: Replies, other: Replies, resamples: int, seed: int) -> Comparison:
    """Return the comparison over the samples that are decided and graded in both. Raises DataError if there is none."""
    shared = sorted(set(first.outcomes) & set(other.outcomes))
    if not shared:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    pairs = [(first.outcomes[key], other.outcomes[key]) for key in shared]
    decided = [(x, y) for x, y in pairs if x.right is not None and y.right is not None]
    if not decided:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    a, b = [x for x, _ in decided], [y for _, y in decided]
    clusters = [outcome.cluster for outcome in a]

    def statistic(totals: Floats) -> Floats:
        chosen: Floats = rates(totals, first.protocol)[..., _CHOSEN]
        return chosen

    return Comparison(
        a=first,
        b=other,
        n=len(decided),
        clusters=len(set(clusters)),
        only_a=len(first.outcomes) - len(shared),
        only_b=len(other.outcomes) - len(shared),
        undecided=len(shared) - len(decided),
        differences=differences(WITH_INTERVALS, count_rows(a), count_rows(b), clusters, statistic, resamples, seed),
        decisions=(
            Decision("refused", mcnemar([_refuses(x) for x in a], [_refuses(y) for y in b]), math.nan),
            Decision("right", mcnemar([x.right is True for x in a], [y.right is True for y in b]), math.nan),
        ),
    )


def _refuses(outcome: Outcome) -> bool:
    return outcome.predicted is not None and outcome.predicted.is_refusal
