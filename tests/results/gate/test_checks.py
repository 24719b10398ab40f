"""Runs whose right verdicts are known by construction."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.results.gate.checks import Check, baseline_of, gated, overall
from refusalbench_tasks.results.gate.estimates import Measured, careful, careful_difference
from refusalbench_tasks.results.gate.rows import Unscored, unscored
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.verdict import Estimate, Needed
from refusalbench_tasks.results.logs.run import RefusalRun
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import refusal_run


def replies(refused: Sequence[bool | None], model: str = "m", right: bool | None = True, **changes: Any) -> RefusalRun:
    """Return answerable rows, one per question, refused or not (None is unscored)."""
    outcomes = {
        (f"{k:03d}", 1): Outcome(
            Label.ANSWER,
            None if no is None else Label.MISSING if no else Label.ANSWER,
            None if no is None or no else right,
            f"q{k}",
        )
        for k, no in enumerate(refused)
    }
    return refusal_run(outcomes, model, **changes)


def one(run: RefusalRun, max_unscored: float = 1.0, baselines: Sequence[RefusalRun] = (), **rule: Any) -> Check:
    made = Rules(rules=(Rule(**({"metric": "false_refusal_rate"} | rule)),), max_unscored=max_unscored)
    (found,) = gated([run], made, baselines)
    return found.checks[-1]


def test_a_rate_far_below_its_limit_holds_and_far_above_fails() -> None:
    assert one(replies([False] * 98 + [True] * 2), max=0.1).verdict == "held"
    assert one(replies([False] * 50 + [True] * 50), max=0.1).verdict == "failed"
    near = one(replies([False] * 92 + [True] * 8), max=0.1)
    assert near.verdict == "undecided"
    assert near.rule == "false_refusal_rate ≤ 0.1"
    assert near.estimate.low < 0.08 < 0.1 < near.estimate.high
    # the arm of about 0.055 has to become 0.02: about 100 x 2.75^2 rows
    assert near.needed is not None
    assert near.needed.rows == near.needed.units == math.ceil(100 * ((near.estimate.high - 0.08) / 0.02) ** 2 - 1e-9)


def test_no_false_refusal_in_sixteen_questions_is_no_rate_of_zero() -> None:
    found = one(replies([False] * 16), max=0.1)
    assert (found.estimate.value, found.verdict, found.needed) == (0, "undecided", Needed(35, 35))
    assert one(replies([False] * 35), max=0.1).verdict == "held"
    assert one(replies([False] * 16), max=0).verdict == "undecided"
    # Wilson's bound itself is allowed
    assert one(replies([False] * 16), max=wilson(0, 16)[1]).verdict == "held"


def test_rows_of_one_question_are_told_from_independent_ones() -> None:
    run = replies([False] * 32)
    rows: Any = {
        key: replace(row, outcome=replace(row.outcome, cluster=f"q{int(key[0]) // 2}")) for key, row in run.rows.items()
    }
    assert one(replace(run, rows=rows), max=0.1).needed == Needed(70, 35)
    alone: Any = {key: replace(row, cluster="row", facts=SampleFacts(item=key[0])) for key, row in rows.items()}
    found = one(replace(run, rows=alone), max=0.1)
    assert (found.by_row, found.estimate.units, found.needed) == (True, 32, Needed(35, 35))


def test_nothing_is_decided_without_rows_or_with_one_question() -> None:
    empty = one(replies([False] * 20), metric="refusal_accuracy", min=0.5)
    assert (empty.verdict, empty.estimate.n, empty.note) == ("undecided", 0, "no decided row is about it")
    assert math.isnan(empty.estimate.value)
    single = one(replies([False]), max=0.5)
    assert (single.verdict, single.needed, single.note) == ("undecided", None, "one base question has no interval")


def test_a_value_at_the_limit_is_decided_by_no_number_of_rows() -> None:
    found = one(replies([False, True] * 20), max=0.5)
    assert (found.verdict, found.needed) == ("undecided", None)
    assert found.note == "the value is the limit: no number of rows would decide"


def test_too_many_unscored_rows_fail_and_the_limit_is_allowed() -> None:
    run = replies([False] * 95 + [None] * 5)
    rules = Rules(rules=(Rule(metric="false_refusal_rate", max=0.1),))
    (found,) = gated([run], rules)
    assert [(check.rule, check.verdict, check.note) for check in found.checks] == [
        ("unscored ≤ 0.05", "held", "5 undecided"),
        ("false_refusal_rate ≤ 0.1", "held", ""),
    ]
    (found,) = gated([replies([False] * 94 + [None] * 6)], rules)
    assert (found.checks[0].verdict, found.checks[0].estimate.value, found.verdict) == ("failed", 0.06, "failed")


def test_a_run_without_any_verdict_fails() -> None:
    (found,) = gated([replies([None] * 10)], Rules(rules=(Rule(metric="false_refusal_rate", max=0.9),)))
    assert [check.verdict for check in found.checks] == ["failed", "undecided"]
    assert found.verdict == "failed"


def test_errors_and_samples_that_never_ran_are_unscored_and_ungraded_answers_where_grades_matter() -> None:
    run = replies([False] * 4 + [None], right=None, lost={("x", 1): SampleFacts()}, planned=10)
    assert unscored(run, graded=False) == Unscored(1, 0, 1, 4, 10)
    assert unscored(run, graded=True) == Unscored(1, 4, 1, 4, 10)
    assert unscored(run, graded=True).share == 1
    assert math.isnan(unscored(replies([]), graded=True).share)
    plain = replies([False] * 40, right=None)
    rule = Rule(metric="false_refusal_rate", max=0.1)
    assert gated([plain], Rules(rules=(rule,)))[0].verdict == "held"
    assert gated([plain], Rules(rules=(rule, Rule(metric="answer_accuracy", min=0.1))))[0].verdict == "failed"


def test_a_difference_is_paired_with_the_baseline() -> None:
    main = replies([True] * 10 + [False] * 190, "old")
    # 3 of 200 got worse: 0.015
    worse = replies([True] * 13 + [False] * 187)
    held = one(worse, baselines=[main], no_worse_than=0.05)
    assert held.rule == "false_refusal_rate - baseline ≤ 0.05"
    assert held.estimate.value == pytest.approx(0.015)
    assert (held.estimate.n, held.estimate.units) == (200, 200)
    assert held.verdict == "held"
    assert one(worse, baselines=[main], no_worse_than=0.02).verdict == "undecided"
    assert one(replies([True] * 60 + [False] * 140), baselines=[main], no_worse_than=0.05).verdict == "failed"
    assert one(main, baselines=[worse], no_worse_than=0).verdict == "held"


def test_no_change_in_few_questions_does_not_show_that_there_is_none() -> None:
    run = replies([True] * 5 + [False] * 15)
    found = one(run, baselines=[run], no_worse_than=0.1)
    # 0 of 20 changed: up to 3.8415 / 23.8415
    assert found.estimate.value == 0
    assert found.estimate.high == pytest.approx(0.16113, abs=1e-5)
    assert (found.verdict, found.needed) == ("undecided", Needed(35, 35))


def test_a_loss_of_what_is_better_high_is_a_fall() -> None:
    main, run = replies([False] * 200, "old"), replies([True] * 100 + [False] * 100)
    found = one(run, baselines=[main], metric="answer_accuracy", no_worse_than=0.1)
    assert (found.rule, found.verdict) == ("answer_accuracy - baseline ≥ -0.1", "failed")


def test_a_rule_is_about_the_rows_of_its_group() -> None:
    run = replies([False] * 40 + [True] * 40)
    rows: Any = {
        key: replace(row, facts=SampleFacts(domain="law" if int(key[0]) < 40 else "art"))
        for key, row in run.rows.items()
    }
    run = replace(run, rows=rows)
    law, art = (one(run, max=0.1, where={"domain": name}) for name in ("law", "art"))
    assert (law.verdict, law.estimate.n, law.rule) == ("held", 40, "false_refusal_rate [domain=law] ≤ 0.1")
    assert art.verdict == "failed"
    assert one(run, baselines=[run], no_worse_than=0.1, where={"domain": "law"}).estimate.n == 40
    with pytest.raises(DataError, match=r"rule 1 \(false_refusal_rate\), field 'where.domain': no row of 'tax'"):
        one(run, max=0.1, where={"domain": "tax"})
    with pytest.raises(DataError, match="nq has no groups of 'colour'; known: class, intensity"):
        one(run, max=0.1, where={"colour": "red"})


@pytest.mark.parametrize(
    "rule, told",
    [
        ({"metric": "accuracy", "max": 1}, r"rule 1 \(accuracy\): no log has this metric .* nq has: answer_accuracy"),
        ({"task": "bluff", "max": 0.1}, "no log is of the task 'bluff'; there are: nq"),
        ({"max": 10}, r"field 'max': 10 is no share from 0 to 1 \(10 % is 0.1\)"),
        ({"metric": "hybrid_score", "min": 0.1}, "no log has this metric"),
        ({"metric": "control_answer_accuracy", "min": 0.1}, "no log has this metric"),
        ({"no_worse_than": 0.1}, "needs a baseline: --against LOG"),
    ],
)
def test_a_rule_that_cannot_be_held_against_anything_is_told(rule: dict[str, Any], told: str) -> None:
    with pytest.raises(DataError, match=told):
        one(replies([False] * 10), **rule)


def test_every_run_needs_a_rule() -> None:
    rules = Rules(rules=(Rule(metric="false_refusal_rate", max=0.1, task="nq"),))
    with pytest.raises(DataError, match="no rule is about this run of garage"):
        gated([replies([False] * 9), replies([False] * 9, task="garage")], rules)


def test_a_baseline_is_of_the_task_and_of_the_model_if_there_are_several() -> None:
    run, old, other = replies([True]), replies([True], "old"), replies([True], "other")
    assert baseline_of(run, [old]) is old
    assert baseline_of(run, [old, other, run]) is run
    with pytest.raises(DataError, match="2 runs of nq there"):
        baseline_of(run, [old, other])
    with pytest.raises(DataError, match="no run of nq there"):
        baseline_of(run, [replies([True], task="garage")])


def test_other_data_are_not_compared_unless_told() -> None:
    run, old = replies([False] * 20), replies([False] * 20, fingerprint="g")
    with pytest.raises(DataError, match="--any-data"):
        one(run, baselines=[old], no_worse_than=0.1)
    rules = Rules(rules=(Rule(metric="false_refusal_rate", no_worse_than=0.5),))
    assert gated([run], rules, [old], any_data=True)[0].verdict == "held"


def test_metrics_without_a_difference_are_told() -> None:
    run = replies([False, True] * 20)
    with pytest.raises(DataError, match="'no_worse_than': logs are not compared by it; they are by: answer_accuracy"):
        one(run, baselines=[run], metric="macro_refusal_accuracy", no_worse_than=0.1)


def test_any_metric_with_an_interval_can_be_gated() -> None:
    found = one(replies([False] * 40), metric="good_answer", min=0.9)
    assert (found.verdict, found.estimate.n) == ("held", 40)


def test_what_has_no_width_and_no_bound_has_no_interval() -> None:
    flat = Estimate(0.3, 0.3, 0.3, 20, 10)
    assert careful(flat, share=True).low < 0.3 < careful(flat, share=True).high
    assert math.isnan(careful(flat, share=False).low)
    assert math.isnan(careful_difference(flat, share=False).low)
    assert careful_difference(replace(flat, value=1.0), share=True).high == 1


@given(st.lists(st.sampled_from(["held", "failed", "undecided"])))
def test_one_failure_fails_all(verdicts: list[Any]) -> None:
    expected = "failed" if "failed" in verdicts else "undecided" if "undecided" in verdicts else "held"
    assert overall(verdicts) == expected


@given(st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=12))
def test_an_estimate_holds_its_value_and_counts_its_rows(refused: list[bool | None]) -> None:
    found = Measured(replies(refused)).estimate("false_refusal_rate")
    known = [no for no in refused if no is not None]
    assert (found.n, found.units) == (len(known), len(known))
    if known:
        assert found.value == pytest.approx(sum(known) / len(known))
    if not math.isnan(found.low):
        assert found.low <= found.value <= found.high
        assert found.low < found.high
