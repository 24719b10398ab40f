"""What a comparison of two logs finds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.results.logs.run import AnyRun, Key
from refusalbench_tasks.stats.cluster import Floats, Mask, Places, Statistic, bootstrap, cluster_sums, jackknife_stderr
from refusalbench_tasks.stats.mcnemar import McNemar, mcnemar
from refusalbench_tasks.stats.paired import swap_test

Rows = TypeVar("Rows", RefusalRows, HedgingRows)
POWER = 1.959963984540054 + 0.8416212335729143
"""Standard errors between 0 and the difference that a two-sided 5 % test finds with a probability of 80 %."""


@dataclass(frozen=True)
class Draws:
    """How many resamples intervals have, the seed, and how many draws the sign-flip tests have."""

    resamples: int = 1000
    seed: int = 0
    flips: int = 1000


@dataclass(frozen=True)
class Difference:
    """One metric in both logs over the same samples, the difference B - A, and what this n can show."""

    metric: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    n: float
    """Rows behind A's value; for measures of pairs, pairs."""
    n_b: float
    """The same for B's."""
    smallest: float
    """The smallest true difference that this n would show with a probability of 80 %; NaN without any difference."""


@dataclass(frozen=True)
class PairedTest:
    """McNemar's test of one yes/no property of the replies, and p adjusted for the family by Holm.

    `p_clusters` is the sign-flip test that flips the rows of a question together, unless both runs take rows for
    independent: McNemar's does always.
    """

    name: str
    mcnemar: McNemar
    p_holm: float
    p_clusters: float


@dataclass(frozen=True)
class Comparison:
    """Log B against log A: n samples decided in both, those in one only or undecided in one, differences and tests.

    `ungraded` of the n have an answer in A or B of which nobody knows whether it is right: they are in no measure
    of correctness.
    """

    a: AnyRun
    b: AnyRun
    n: int
    clusters: int
    only_a: int
    only_b: int
    undecided: int
    ungraded: int
    differences: tuple[Difference, ...]
    tests: tuple[PairedTest, ...]
    note: str = ""
    """What cannot be compared, and how the rest is."""

    @property
    def cluster(self) -> Cluster:
        """Return what is resampled."""
        return shared_cluster(self.a, self.b)

    @classmethod
    def of(
        cls,
        runs: tuple[AnyRun, AnyRun],
        keys: tuple[Collection[Key], Collection[Key]],
        questions: Sequence[str],
        graded: Mask,
        differences: tuple[Difference, ...],
        tests: tuple[PairedTest, ...],
    ) -> Self:
        """Return the comparison of two runs with the samples `keys`.

        `questions` are those of the samples that are decided in both; `graded` says which of them are graded in both.
        """
        n, n_b = map(len, keys)
        # sets of a million keys are larger than their rows
        shared = n if n == n_b and all(map(eq, *keys)) else len(set(keys[0]) & set(keys[1]))
        return cls(
            *runs, len(questions), len(set(questions)), n - shared, n_b - shared, shared - len(questions),
            int((~graded).sum()), differences, tests,
        )  # fmt: skip


def shared_cluster(a: AnyRun, b: AnyRun) -> Cluster:
    """Return what a comparison resamples: rows where both runs were told so, else questions, which is the wider."""
    return "row" if a.cluster == b.cluster == "row" else "question"


def shared_rows(a: tuple[Sequence[Key], Rows], b: tuple[Sequence[Key], Rows]) -> tuple[Rows, Rows]:
    """Return the rows of both that have a key in common, in its order; `a` and `b` are sorted keys and their rows."""
    if a[0] == b[0]:
        return a[1], b[1]
    both = set(a[0]) & set(b[0])
    masks = [np.array([key in both for key in keys], dtype=bool) for keys in (a[0], b[0])]
    return a[1].where(masks[0]), b[1].where(masks[1])


def differences(
    names: Sequence[str],
    a: Floats,
    b: Floats,
    clusters: Sequence[str] | Places,
    statistic: Statistic,
    draws: Draws,
    n: Sequence[float],
    n_b: Sequence[float],
    which: NDArray[np.intp] | None = None,
) -> tuple[Difference, ...]:
    """Return the differences of named statistics between paired rows.

    Args: `a` and `b`, shape (n, k), hold what the statistic's sums are made of, row by row for the same samples;
    `statistic` maps sums, shape (..., k), to (..., len(names)); `n` and `n_b` hold the rows behind each. Intervals
    and errors resample the clusters. With `which`, the kind of each pair, `a` and `b` have a row of each kind.
    """
    width = a.shape[1]
    sums = cluster_sums(np.hstack([a, b]), clusters, which)

    def gap(totals: Floats) -> Floats:
        result: Floats = statistic(totals[..., width:]) - statistic(totals[..., :width])
        return result

    total = sums.sum(axis=0)
    in_a, in_b = statistic(total[:width]), statistic(total[width:])
    interval, spread = bootstrap(sums, gap, draws.resamples, draws.seed), jackknife_stderr(sums, gap)
    return tuple(
        Difference(
            metric=name,
            a=float(in_a[i]),
            b=float(in_b[i]),
            difference=float(in_b[i] - in_a[i]),
            low=float(interval.low[i]),
            high=float(interval.high[i]),
            n=n[i],
            n_b=n_b[i],
            smallest=float(POWER * spread[i]) if spread[i] > 0 else float("nan"),
        )
        for i, name in enumerate(names)
    )


def paired_test(name: str, a: ArrayLike, b: ArrayLike, clusters: Sequence[str] | Places, draws: Draws) -> PairedTest:
    """Return the tests of one yes/no property of paired rows, shape (n,) each; the family fills in Holm's p."""
    one, other = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    gap = other.astype(float) - one.astype(float)
    by_cluster = swap_test(gap, -gap, draws.flips, draws.seed, clusters)
    return PairedTest(name, mcnemar(one, other), float("nan"), by_cluster.p)
