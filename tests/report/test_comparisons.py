"""All pairs of models of a section."""

import math
from typing import Any

import pytest

from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.report.comparisons import all_pairs, comparison_table, holm_known, verdict
from refusalbench_tasks.report.value import NAN, Value
from refusalbench_tasks.results.compare.comparison import compare
from refusalbench_tasks.results.logs.run import RefusalRun
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import refusal_run


def run(model: str, hits: int, **changes: Any) -> RefusalRun:
    outcomes = {
        (f"r{k:02d}", 1): Outcome(Label.MISSING, Label.MISSING if k < hits else Label.ANSWER, None, f"q{k}")
        for k in range(40)
    }
    return refusal_run(outcomes, model, **changes)


def test_every_pair_is_compared_and_the_tests_are_one_family() -> None:
    table = comparison_table("nq", [("a", run("a", 0)), ("b", run("b", 40)), ("c", run("c", 20))])
    assert table is not None
    assert [(row["A"], row["B"]) for row in table.rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    # of 40 unanswerable rows a misses all and b none: -1
    assert table.rows[0]["missed refusals"] == -1.0
    assert table.rows[0]["refused"] == "differ"
    # six tests at their least p of 1/2001 each: the smallest is 6/2001
    assert table.rows[0]["p refused (Holm)"] == pytest.approx(6 / 2001)


def test_the_newest_run_of_a_model_counts_and_a_baseline_does_not() -> None:
    runs = [
        ("a", run("a", 0, created="2026-01-01")),
        ("a #2", run("a", 5, created="2026-01-02")),
        ("b", run("b", 9)),
        ("oracle", run("oracle", 40, baseline=True)),
    ]
    table = comparison_table("nq", runs)
    assert table is not None
    assert [(row["A"], row["B"]) for row in table.rows] == [("a #2", "b")]
    assert comparison_table("nq", runs[:2]) is None


def test_p_that_is_undefined_is_in_no_family() -> None:
    adjusted = holm_known([0.01, NAN, 0.04])
    # two tests are known: .01 x 2, and .04 x 1
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])
    assert adjusted[2] == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("differences", "clusters", "p", "told"),
    [
        ([Value(0.2, 0.1, 0.3)], 100, 0.01, "differ"),
        ([Value(0.01, -0.02, 0.04), Value(0.0, -0.04, 0.04)], 100, 0.4, "equal"),
        ([Value(0.01, -0.02, 0.04), Value(0.0, -0.06, 0.04)], 100, 0.4, "can't tell"),
        ([], 100, 0.4, "can't tell"),
        ([Value(0.0)], 100, NAN, "can't tell"),
        # never differing: Wilson's bound of 0 of 12 is .24, of 0 of 200 it is .019
        ([Value(0.0, 0.0, 0.0)], 12, 1.0, "can't tell"),
        ([Value(0.0, 0.0, 0.0)], 200, 1.0, "equal"),
    ],
)
def test_equal_is_said_only_where_n_allows(differences: list[Value], clusters: int, p: float, told: str) -> None:
    assert verdict(differences, clusters, p) == told


def test_the_intervals_are_those_of_compare_and_the_tests_have_more_draws() -> None:
    a, b = run("a", 3), run("b", 9)
    (pair,) = all_pairs([("a", a), ("b", b)])
    # NaN is no number that equals itself
    assert repr(pair[2].differences) == repr(compare(a, [b])[0].differences)
    # 6 of 40 rows differ, all to one side: the two-sided p is near 2 / 2^6, in steps of 1/2001
    p = pair[2].tests[0].p_clusters
    assert p == pytest.approx(2 / 64, abs=0.015)
    assert p * 2001 == pytest.approx(round(p * 2001))
