"""All pairs of models of a section, compared over the same rows."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.report.value import NAN, Value
from refusalbench_tasks.results.compare.comparison import compare
from refusalbench_tasks.results.compare.differences import Comparison
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.tables import Table, TableRow

MARGIN = 0.05
"""Two rates whose difference has an interval within this distance of 0 are called equal."""
ALPHA = 0.05
MOST = 66
"""More pairs (those of 12 models) are not compared on a page."""
SHOWN = {
    "false_refusal_rate": "false refusals",
    "missed_refusal_rate": "missed refusals",
    "category_accuracy": "right category",
    "answer_correctness": "answer correctness",
    "asi": "ASI",
}
_FLIPS = 2000
"""Draws of the sign-flip tests: fewer could find no difference after Holm's adjustment among many pairs."""
_BEHIND = {
    "refused": ("false_refusal_rate", "missed_refusal_rate"),
    "right": ("answer_accuracy", "refusal_accuracy", "answer_correctness"),
}
"""The rates whose differences tell whether two models are equal in what a test is about."""
NOTE = (
    "B - A over the samples that are decided in both, with 95 % intervals by base question. Refused, right: whether "
    "the two differ in how often they refuse, and in how often they are right (sign-flip test by question, p adjusted "
    "by Holm over all tests of the table). Equal: the intervals of the differences of the rates behind it lie within 5 "
    "points of 0. Where neither can be said, that is no evidence of equality. Where only one of two runs was asked for "
    "refusal codes, categories are not compared, and any refusal that is due is right in both."
)
SomeRun = TypeVar("SomeRun", RefusalRun, HedgingRun)


def all_pairs(runs: Sequence[tuple[str, AnyRun]]) -> list[tuple[str, str, Comparison]]:
    """Return the comparison of each two runs, with their labels; a pair that can't be compared is left out.

    The intervals are those of `refusalbench compare` (1,000 resamples).
    """
    found = []
    for (first, a), (other, b) in combinations(runs, 2):
        try:
            found.append((first, other, compare(a, [b], any_data=True, flips=_FLIPS)[0]))
        except DataError:
            continue
    return found


def comparison_table(key: str, runs: Sequence[tuple[str, AnyRun]]) -> Table | None:
    """Return the comparison of all pairs of the newest runs of models; None for fewer than two or too many."""
    newest = _newest(runs)
    pairs = all_pairs(newest) if len(newest) * (len(newest) - 1) // 2 <= MOST else []
    if not pairs:
        return None
    tests = [test for *_, comparison in pairs for test in comparison.tests]
    adjusted = iter(holm_known([test.p_clusters for test in tests]))
    rows = [_row(a, b, comparison, [next(adjusted) for _ in comparison.tests]) for a, b, comparison in pairs]
    return Table("comparisons", f"{key}: all pairs of models", rows, NOTE)


def holm_known(p_values: Sequence[float]) -> list[float]:
    """Return p adjusted by Holm over those that are defined; NaN stays NaN."""
    adjusted = iter(holm([p for p in p_values if p == p]))
    return [next(adjusted) if p == p else NAN for p in p_values]


def verdict(differences: Sequence[Value], clusters: int, p: float) -> str:
    """Return what the adjusted p of a test and the differences of the rates behind it allow to say.

    Equal are two models if every difference has an interval within `MARGIN` of 0. Where the two never differ, that
    interval has no width; the Wilson bound of no difference among so many clusters then stands for it.
    """
    if p < ALPHA:
        return "differ"
    return "equal" if differences and all(_within(one, clusters) for one in differences) else "can't tell"


def _within(one: Value, clusters: int) -> bool:
    if not one.has_interval:
        return False
    if one.low == one.high:
        return wilson(0, clusters)[1] < MARGIN and abs(one.value) < MARGIN
    return one.low > -MARGIN and one.high < MARGIN


def _newest(runs: Sequence[tuple[str, AnyRun]]) -> list[tuple[str, AnyRun]]:
    by_age = sorted((one for one in runs if not one[1].baseline), key=lambda one: one[1].created)
    newest = {run.model: label for label, run in by_age}
    return [(label, run) for label, run in runs if newest.get(run.model) == label]


def _row(a: str, b: str, comparison: Comparison, adjusted: Sequence[float]) -> TableRow:
    row: TableRow = {"A": a, "B": b, "samples": comparison.n}
    by_metric = {
        one.metric: Value(one.difference, one.low, one.high, min(one.n, one.n_b)) for one in comparison.differences
    }
    for metric, name in SHOWN.items():
        if metric in by_metric:
            row |= by_metric[metric].cells(name)
    for test, p in zip(comparison.tests, adjusted, strict=True):
        behind = [by_metric[metric] for metric in _BEHIND[test.name] if metric in by_metric]
        row |= {f"p {test.name} (Holm)": p, test.name: verdict(behind, comparison.clusters, p)}
    return row
