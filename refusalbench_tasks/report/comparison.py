"""Two logs of one data set, sample by sample."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.outcome import Outcome
from refusalbench_tasks.metrics.refusal import METRICS, WIDTH, Floats, count_rows, rates
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS
from refusalbench_tasks.report.replies import Replies
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums, jackknife_stderr
from refusalbench_tasks.stats.mcnemar import McNemar, holm, mcnemar

POWER = 1.959963984540054 + 0.8416212335729143
"""Standard errors between 0 and the difference that a two-sided 5 % test finds with a probability of 80 %."""


@dataclass(frozen=True)
class Difference:
    """One metric in both logs over the same samples, the difference B - A, and what this n can show."""

    metric: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    smallest: float
    """The smallest true difference that this n would show with a probability of 80 %; NaN without any difference."""


@dataclass(frozen=True)
class Decision:
    """McNemar's test of one yes/no property of the replies, and p adjusted for the family by Holm."""

    name: str
    test: McNemar
    p_holm: float


@dataclass(frozen=True)
class Comparison:
    """Log B against log A: n samples decided in both, those in one only or undecided in one, differences and tests."""

    a: Replies
    b: Replies
    n: int
    clusters: int
    only_a: int
    only_b: int
    undecided: int
    differences: tuple[Difference, ...]
    decisions: tuple[Decision, ...]


def compare(first: Replies, others: Sequence[Replies], any_data: bool = False, resamples: int = 1000, seed: int = 0
            ) -> list[Comparison]:  # fmt: skip
    """Return the paired comparison of each other log with the first, over the samples that are decided in both.

    A reply that is undecided or ungraded in one log takes the pair out of everything, so that both columns rest on the
    same samples. Intervals resample base questions; the McNemar tests of all comparisons are one family. Raises
    DataError if the logs are of different tasks or protocols, of different data (unless `any_data`), or share no
    decided sample.
    """
    made = []
    for other in others:
        if other.task != first.task:
            raise DataError(f"{other.name}: a run of {other.task}, but {first.name} is one of {first.task}")
        if other.protocol != first.protocol:
            raise DataError(f"{other.name}: scored by {other.protocol}, but {first.name} by {first.protocol}")
        if (other.fingerprint != first.fingerprint or not first.fingerprint) and not any_data:
            raise DataError(
                f"{other.name}: its data ({other.fingerprint or 'unknown'}) are not those of {first.name} "
                f"({first.fingerprint or 'unknown'}); compare what both have with --any-data"
            )
        made.append(_pair(first, other, resamples, seed))
    adjusted = iter(holm([decision.test.p for one in made for decision in one.decisions]))
    return [_with_holm(one, [next(adjusted) for _ in one.decisions]) for one in made]


def _pair(first: Replies, other: Replies, resamples: int, seed: int) -> Comparison:
    shared = sorted(set(first.outcomes) & set(other.outcomes))
    if not shared:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    pairs = [(first.outcomes[key], other.outcomes[key]) for key in shared]
    decided = [(x, y) for x, y in pairs if x.right is not None and y.right is not None]
    if not decided:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    a, b = [x for x, _ in decided], [y for _, y in decided]
    decisions = (
        Decision("refused", mcnemar([_refuses(x) for x in a], [_refuses(y) for y in b]), float("nan")),
        Decision("right", mcnemar([x.right is True for x in a], [y.right is True for y in b]), float("nan")),
    )
    return Comparison(
        a=first,
        b=other,
        n=len(decided),
        clusters=len({outcome.cluster for outcome in a}),
        only_a=len(first.outcomes) - len(shared),
        only_b=len(other.outcomes) - len(shared),
        undecided=len(shared) - len(decided),
        differences=_differences(a, b, first, resamples, seed),
        decisions=decisions,
    )


def _differences(a: Sequence[Outcome], b: Sequence[Outcome], first: Replies, resamples: int, seed: int
                 ) -> tuple[Difference, ...]:  # fmt: skip
    sums = cluster_sums(np.hstack([count_rows(a), count_rows(b)]), [outcome.cluster for outcome in a])

    def statistic(totals: Floats) -> Floats:
        gap: Floats = rates(totals[..., WIDTH:], first.protocol) - rates(totals[..., :WIDTH], first.protocol)
        return gap

    total = sums.sum(axis=0)
    in_a, in_b = rates(total[:WIDTH], first.protocol), rates(total[WIDTH:], first.protocol)
    interval, spread = bootstrap(sums, statistic, resamples, seed), jackknife_stderr(sums, statistic)
    chosen = [(name, METRICS.index(name)) for name in WITH_INTERVALS]
    return tuple(
        Difference(
            metric=name,
            a=float(in_a[i]),
            b=float(in_b[i]),
            difference=float(in_b[i] - in_a[i]),
            low=float(interval.low[i]),
            high=float(interval.high[i]),
            smallest=float(POWER * spread[i]) if spread[i] > 0 else float("nan"),
        )
        for name, i in chosen
    )


def _refuses(outcome: Outcome) -> bool:
    return outcome.predicted is not None and outcome.predicted.is_refusal


def _with_holm(one: Comparison, adjusted: Sequence[float]) -> Comparison:
    decisions = tuple(Decision(d.name, d.test, p) for d, p in zip(one.decisions, adjusted, strict=True))
    return replace(one, decisions=decisions)
