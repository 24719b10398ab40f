"""Two runs of one data set, sample by sample: paired differences with 95 % CI, and
tests.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.metrics.spending import SPENT
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.results.compare_hedging import HEDGING_FAMILY
from refusalbench_tasks.results.compare_refusal import REFUSAL_FAMILY
from refusalbench_tasks.results.interval_rules import safe_difference
from refusalbench_tasks.results.paired_replies import (
    Family,
    Pairing,
    Quantity,
    decided,
    paired,
    ratio_quantity,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import (
    ClusterIndex,
    Floats,
    Mask,
    bootstrap,
    cluster_sums,
    jackknife_stderr,
    places_of,
)
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.mcnemar import holm, mcnemar
from refusalbench_tasks.stats.paired import swap_test
from refusalbench_tasks.stats.proportion import Z

if TYPE_CHECKING:
    import pandas as pd

MDE_Z = Z + 0.8416212335729143
"""Standard errors between 0 and the difference that a two-sided 5 % test finds with a
probability of 80 %.
"""


@dataclass(frozen=True)
class Difference:
    """One metric in both runs over the same samples, and the difference B - A with its
    95 % CI.
    """

    metric: str
    a: float
    b: float
    n: float
    """Rows behind A's value; for measures of pairs, pairs."""
    n_b: float
    """The same for B's."""
    difference: Estimate
    detectable: float
    """The minimum detectable difference: what this n would show with a probability of
    80 %; NaN without a spread.
    """


@dataclass(frozen=True)
class PairedTest:
    """Tests of one yes/no property of the replies.

    `p` is McNemar's, which takes rows for independent; `p_question` is the sign-flip
    test that flips all rows and epochs of a question together, unless both runs take
    rows for independent. `p_holm` is `p_question` adjusted by Holm over the tests of
    all comparisons.
    """

    name: str
    only_a: int
    only_b: int
    n: int
    p: float
    p_question: float
    p_holm: float = math.nan


@dataclass(frozen=True)
class Comparison:
    """Run B against run A over the samples that are decided in both: differences and
    tests.
    """

    a: Run
    b: Run
    counts: Mapping[str, int]
    """Samples (`n`) and their questions; what is left out; and of the n those with an
    answer that is ungraded in A or B (`ungraded`).
    """
    differences: tuple[Difference, ...]
    tests: tuple[PairedTest, ...]
    note: str
    cluster: Cluster
    """What is resampled: rows where both runs were told so, else questions, which is
    the wider.
    """


def family_of(run: Run) -> Family:
    """Return how a run is compared."""
    return REFUSAL_FAMILY if run.refusal else HEDGING_FAMILY


def pairing(first: Run, other: Run) -> Pairing:
    """Return the paired replies of two runs of one kind."""
    family = family_of(first)
    *sides, note = family.replies(first, other)
    unit: Cluster = "row" if first.cluster == other.cluster == "row" else "question"
    one, two = (side.assign(cluster_by=unit) for side in sides)
    every = paired(family.main(one), family.main(two))
    a, b = decided(*every)
    lost: Mask = np.isnan(family.judged(a)[1]) | np.isnan(family.judged(b)[1])
    return Pairing(first, (one, two), every, a, b, lost, note, unit)


def differences(of: Quantity, resamples: int = 1000) -> tuple[Difference, ...]:
    """Return the differences of statistics between paired rows; CIs and errors resample
    the clusters.
    """
    width = of.a.shape[1]
    sums = cluster_sums(np.hstack([of.a, of.b]), of.places)

    def gap(totals: Floats) -> Floats:
        result: Floats = of.statistic(totals[..., width:]) - of.statistic(
            totals[..., :width]
        )
        return result

    total = sums.sum(axis=0)
    sides = total[:width], total[width:]
    (a, b), (n, n_b) = (
        [function(side) for side in sides] for function in (of.statistic, of.sizes)
    )
    interval = bootstrap(sums, gap, resamples)
    spread = jackknife_stderr(sums, gap)
    used = (of.sizes(sums[:, :width]) > 0) | (of.sizes(sums[:, width:]) > 0)
    found = []
    for i, name in enumerate(of.names):
        raw = Estimate(
            value=float(b[i] - a[i]),
            n=float(min(n[i], n_b[i])),
            stderr=float(spread[i]),
            low=float(interval.low[i]),
            high=float(interval.high[i]),
            units=int(used[:, i].sum()),
        )
        detectable = float(MDE_Z * spread[i]) if spread[i] > 0 else math.nan
        made = safe_difference(raw, of.share)
        found.append(
            Difference(
                name,
                float(a[i]),
                float(b[i]),
                float(n[i]),
                float(n_b[i]),
                made,
                detectable,
            )
        )
    return tuple(found)


def _of_spending(a: "pd.DataFrame", b: "pd.DataFrame") -> list[Quantity]:
    """Return the mean tokens, cost and latency of paired replies, of which both are
    known.
    """
    found = []
    for column in SPENT:
        known = a[column].notna() & b[column].notna()
        one, two = (
            np.column_stack([side[column][known], np.ones(known.sum())]).astype(float)
            for side in (a, b)
        )
        if known.any():
            found.append(
                ratio_quantity(
                    [f"{column}_per_row"],
                    one,
                    two,
                    places_of(a["cluster"][known]),
                    share=False,
                )
            )
    return found


def paired_test(
    name: str, a: ArrayLike, b: ArrayLike, places: ClusterIndex
) -> PairedTest:
    """Return the tests of one yes/no property of paired rows, shape (n,) each, without
    Holm's p.
    """
    one = np.asarray(a, dtype=bool)
    other = np.asarray(b, dtype=bool)
    gap = other.astype(float) - one.astype(float)
    exact = mcnemar(one, other)
    by_question = swap_test(gap, -gap, clusters=places).p
    return PairedTest(
        name, exact.only_first, exact.only_second, exact.n, exact.p, by_question
    )


Pair = tuple[Run, Run]


def compare_pairs(pairs: Sequence[Pair], any_data: bool = False) -> list[Comparison]:
    """Return the paired comparison of the second run of each pair with its first; the
    tests of all are one family.

    A reply that is undecided in one run takes the pair out of everything, so that both
    columns rest on the same samples. Raises DataError if the runs are of different
    tasks, protocols or lists of hedges, of different data (unless `any_data`), or share
    no decided sample.
    """
    for first, other in pairs:
        _check(first, other, any_data)
    made = [_comparison(first, other) for first, other in pairs]
    adjusted = iter(holm([test.p_question for one in made for test in one.tests]))
    return [
        replace(
            one, tests=tuple(replace(test, p_holm=next(adjusted)) for test in one.tests)
        )
        for one in made
    ]


def _comparison(first: Run, other: Run) -> Comparison:
    family = family_of(first)
    of = pairing(first, other)
    found = [gap for quantity in family.quantities(of) for gap in differences(quantity)]
    shared = len(of.every[0])
    n = len(of.a)
    if not any(gap.n or gap.n_b for gap in found):
        what = "that is decided in both" if shared else "in common"
        raise DataError(f"{other.name} and {first.name} have no sample {what}")
    found += [
        gap for quantity in _of_spending(*of.every) for gap in differences(quantity)
    ]
    places = cluster_index(of.a)
    known = ~of.lost
    (refused, right), (refused_b, right_b) = family.judged(of.a), family.judged(of.b)
    counts = {
        "n": n,
        "questions": of.a["cluster"].nunique(),
        "undecided": shared - n,
        "A only": len(family.main(of.sides[0])) - shared,
        "B only": len(family.main(of.sides[1])) - shared,
        "ungraded": int(of.lost.sum()),
    }
    tests = (
        paired_test("refused", refused, refused_b, places),
        paired_test("right", right[known] == 1, right_b[known] == 1, places[known]),
    )
    return Comparison(first, other, counts, tuple(found), tests, of.note, of.cluster)


def _check(first: Run, other: Run, any_data: bool) -> None:
    if other.task != first.task:
        raise DataError(
            f"{other.name}: a run of {other.task}, but {first.name} is one of"
            f" {first.task}"
        )
    if other.protocol != first.protocol:
        raise DataError(
            f"{other.name}: scored by {other.protocol}, but {first.name} by"
            f" {first.protocol}"
        )
    if other.lexicon != first.lexicon:
        lists = [run.lexicon or "an unknown list" for run in (other, first)]
        raise DataError(
            f"{other.name}: its hedges were counted by {lists[0]}, those of"
            f" {first.name} by {lists[1]}; score both again with one list (inspect"
            " score -S lexicon=...)"
        )
    if (
        other.fingerprint != first.fingerprint or not first.fingerprint
    ) and not any_data:
        raise DataError(
            f"{other.name}: its data ({other.fingerprint or 'unknown'}) are not those"
            f" of {first.name} ({first.fingerprint or 'unknown'}); compare what both"
            " have with --any-data"
        )
