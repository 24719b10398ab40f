"""Two runs of one data set, sample by sample: paired differences with 95 % CI, and
tests.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.named_sums import named_sums, with_counts
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.metrics.spending import SPENDING, SPENT
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import (
    ClusterIndex,
    Floats,
    Mask,
    bootstrap,
    jackknife_stderr,
    places_of,
)
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.mcnemar import holm, mcnemar
from refusalbench_tasks.stats.paired import swap_test
from refusalbench_tasks.stats.proportion import MDE_Z

from .compare_hedging import HEDGING_FAMILY
from .compare_refusal import REFUSAL_FAMILY
from .interval_rules import safe_difference
from .paired_replies import (
    Family,
    PairedSums,
    Pairing,
    decided,
    paired,
)
from .table import Run


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

    @property
    def detectable(self) -> float:
        """Return the minimum detectable difference: what this n would show with a
        probability of 80 %; NaN without a spread.
        """
        return MDE_Z * self.difference.stderr or math.nan


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
    differences: Sequence[Difference]
    tests: Sequence[PairedTest]
    note: str
    one_sided: "pd.DataFrame"
    """The paired replies that are decided in one run alone: `id`, `epoch`, `A`, `B`."""
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
    *tables, note = family.replies(first, other)
    unit: Cluster = "row" if first.cluster == other.cluster == "row" else "question"
    sides = tables[0].assign(cluster_by=unit), tables[1].assign(cluster_by=unit)
    every = paired(family.main(sides[0]), family.main(sides[1]))
    a, b = decided(*every)
    lost: Mask = np.isnan(family.judged(a)[1]) | np.isnan(family.judged(b)[1])
    return Pairing(
        sides,
        every,
        a,
        b,
        lost,
        note,
        unit,
    )


def paired_differences(sums: PairedSums) -> list[Difference]:
    """Return the differences of metrics between paired replies; CIs and errors resample
    the clusters.
    """
    metrics = sums.metrics
    a = sums.a
    b = sums.b
    rows_a = a.rows
    width = rows_a.shape[1]

    def gap(totals: Floats) -> Floats:
        of_a = a.values(metrics, totals[..., :width])
        return b.values(metrics, totals[..., width:]) - of_a

    rows = np.hstack([rows_a, b.rows])
    interval = bootstrap(rows, gap)
    spread = jackknife_stderr(rows, gap)
    total_a = rows_a.sum(axis=0)
    total_b = b.rows.sum(axis=0)
    of_a = a.values(metrics, total_a)
    of_b = b.values(metrics, total_b)
    n_a = a.sizes(metrics, total_a)
    n_b = b.sizes(metrics, total_b)
    used = (a.sizes(metrics, rows_a) > 0) | (b.sizes(metrics, b.rows) > 0)
    gaps = []
    for i, metric in enumerate(metrics):
        difference = Estimate(
            value=float(of_b[i] - of_a[i]),
            n=float(min(n_a[i], n_b[i])),
            stderr=float(spread[i]),
            low=float(interval.low[i]),
            high=float(interval.high[i]),
            units=int(used[:, i].sum()),
        )
        gaps.append(
            Difference(
                metric.name,
                a=float(of_a[i]),
                b=float(of_b[i]),
                n=float(n_a[i]),
                n_b=float(n_b[i]),
                difference=safe_difference(difference, metric.bounded),
            )
        )
    return gaps


def _of_spending(a: "pd.DataFrame", b: "pd.DataFrame") -> list[PairedSums]:
    """Return the mean tokens, cost and latency of paired replies, of which both are
    known.
    """
    sums = []
    for column in SPENT:
        known = a[column].notna() & b[column].notna()
        if known.any():
            places = places_of(a["cluster"][known])
            sides = []
            for side in (a, b):
                spent = {column: side[column][known].to_numpy(float)}
                sides.append(named_sums(with_counts(spent), places))
            metric = SPENDING[f"{column}_per_row"]
            sums.append(PairedSums([metric], *sides))
    return sums


def paired_test(
    name: str,
    a: Mask,
    b: Mask,
    places: ClusterIndex,
) -> PairedTest:
    """Return the tests of one yes/no property of paired rows, shape (n,) each, without
    Holm's p.
    """
    only_a = int((a & ~b).sum())
    only_b = int((b & ~a).sum())
    gap = b.astype(float) - a
    return PairedTest(
        name,
        only_a,
        only_b,
        n=len(a),
        p=mcnemar(only_a, only_b),
        p_question=swap_test(gap, -gap, clusters=places),
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
    comparisons = [_comparison(first, other) for first, other in pairs]
    tests = [test for comparison in comparisons for test in comparison.tests]
    adjusted = iter(holm([test.p_question for test in tests]))
    adjusted_comparisons = []
    for comparison in comparisons:
        tests = [replace(test, p_holm=next(adjusted)) for test in comparison.tests]
        adjusted_comparisons.append(replace(comparison, tests=tests))
    return adjusted_comparisons


def _comparison(first: Run, other: Run) -> Comparison:
    family = family_of(first)
    of_both = pairing(first, other)
    gaps = []
    for sums in family.sums(of_both):
        gaps += paired_differences(sums)
    shared = len(of_both.every[0])
    a = of_both.a
    n = len(a)
    if not any(difference.n or difference.n_b for difference in gaps):
        what = "that is decided in both" if shared else "in common"
        raise DataError(f"{other.name} and {first.name} have no sample {what}")
    for sums in _of_spending(*of_both.every):
        gaps += paired_differences(sums)
    places = cluster_index(a)
    known = ~of_both.lost
    refused, right = family.judged(a)
    refused_b, right_b = family.judged(of_both.b)
    counts = {
        "n": n,
        "questions": a["cluster"].nunique(),
        "undecided": shared - n,
        "A only": len(family.main(of_both.sides[0])) - shared,
        "B only": len(family.main(of_both.sides[1])) - shared,
        "ungraded": int(of_both.lost.sum()),
    }
    tests = (
        paired_test(
            "refused",
            refused,
            refused_b,
            places,
        ),
        paired_test(
            "right",
            right[known] == 1,
            right_b[known] == 1,
            places[known],
        ),
    )
    return Comparison(
        first,
        other,
        counts,
        gaps,
        tests,
        of_both.note,
        _one_sided(family, of_both),
        of_both.cluster,
    )


def _one_sided(family: Family, of_both: Pairing) -> "pd.DataFrame":

    first, _ = of_both.every
    columns = {"id": first["sample_id"], "epoch": first["epoch"]}
    for name, side in zip("AB", of_both.every, strict=True):
        refused, _ = family.judged(side)
        words = np.where(refused, "refusal", "answer")
        columns[name] = side["outcome"].where(side["outcome"] != "decided", words)
    rows = pd.DataFrame(columns)
    return rows[(rows["A"] == "unscored") != (rows["B"] == "unscored")]


def _check(
    first: Run,
    other: Run,
    any_data: bool,
) -> None:
    """Raise DataError if two runs can't be compared."""
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
