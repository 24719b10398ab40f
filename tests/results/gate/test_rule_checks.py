"""Runs whose right verdicts are known by construction."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.gate.gate_runs import baseline_of
from refusalbench_tasks.results.gate.rule_checks import Check, gated, overall
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.verdict import Needed
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import row, run

CLEAR = (PerturbationClass.AMBIGUITY, Intensity.LOW)


def replies(
    refused: Sequence[bool | None],
    model: str = "m",
    right: bool | None = True,
    **changes: Any,
) -> Run:
    """Return answerable rows, one per question, refused or not (None is unscored)."""
    rows = []
    for k, no in enumerate(refused):
        said = None if no is None else Label.MISSING if no else Label.ANSWER
        one = row(f"{k:03d}", said, *CLEAR, correct=bool(right), source_id=f"q{k}")
        assert one.scores
        if right is None and no is False:
            one.scores["refusal_scores"].value["right"] = math.nan  # type: ignore[index]
        rows.append(one)
    return run(rows, model, **changes)


def with_column(of: Run, **columns: Any) -> Run:
    return replace(of, replies=of.replies.assign(**columns))


def one(
    of: Run, max_unscored: float = 1.0, baselines: Sequence[Run] = (), **rule: Any
) -> Check:
    made = Rules(
        rules=(Rule(**({"metric": "false_refusal_rate"} | rule)),),
        max_unscored=max_unscored,
    )
    (found,) = gated([of], made, baselines)
    return found.checks[-1]


def test_a_rate_far_below_its_limit_holds_and_far_above_fails() -> None:
    assert one(replies([False] * 98 + [True] * 2), max=0.1).verdict == "pass"
    assert one(replies([False] * 50 + [True] * 50), max=0.1).verdict == "fail"
    near = one(replies([False] * 92 + [True] * 8), max=0.1)
    assert near.verdict == "undecided"
    assert near.rule == "false_refusal_rate ≤ 0.1"
    assert near.estimate.low < 0.08 < 0.1 < near.estimate.high
    # the arm of about 0.055 has to become 0.02: about 100 x 2.75^2 rows
    assert near.needed is not None
    assert (
        near.needed.rows
        == near.needed.units
        == math.ceil(100 * ((near.estimate.high - 0.08) / 0.02) ** 2 - 1e-9)
    )


def test_no_false_refusal_in_sixteen_questions_is_no_rate_of_zero() -> None:
    found = one(replies([False] * 16), max=0.1)
    assert (found.estimate.value, found.verdict, found.needed) == (
        0,
        "undecided",
        Needed(35, 35),
    )
    assert one(replies([False] * 35), max=0.1).verdict == "pass"
    assert one(replies([False] * 16), max=0).verdict == "undecided"
    # Wilson's bound itself is allowed
    assert one(replies([False] * 16), max=wilson(0, 16)[1]).verdict == "pass"


def test_rows_of_one_question_are_told_from_independent_ones() -> None:
    of = replies([False] * 32)
    pairs = with_column(of, cluster=[f"q{k // 2}" for k in range(32)])
    assert one(pairs, max=0.1).needed == Needed(70, 35)
    found = one(
        with_column(pairs, cluster_by="row", item=of.replies["sample_id"]), max=0.1
    )
    assert (found.remark, found.estimate.units, found.needed) == (
        "about 35 rows would decide",
        32,
        Needed(35, 35),
    )


def test_nothing_is_decided_without_rows_or_with_one_question() -> None:
    empty = one(replies([False] * 20), metric="refusal_accuracy", min=0.5)
    no_ci = "no CI: n is too small, or all values are equal"
    assert (empty.verdict, empty.estimate.n, empty.remark) == ("undecided", 0, no_ci)
    assert math.isnan(empty.estimate.value)
    single = one(replies([False]), max=0.5)
    assert (single.verdict, single.needed, single.remark) == ("undecided", None, no_ci)


def test_more_rows_than_there_are_would_decide_and_none_at_the_limit() -> None:
    # the CI of 2 of 8, from 0 to 0.5, ends at the limit itself
    near = one(replies([True] * 2 + [False] * 6), min=0.5)
    assert (near.estimate.high, near.verdict, near.remark) == (
        0.5,
        "undecided",
        "about 9 rows would decide",
    )
    assert (
        one(replies([True] * 4 + [False] * 4), max=0.5).remark
        == "the value is the limit"
    )


def test_too_many_unscored_rows_are_undecided_and_the_limit_is_allowed() -> None:
    of = replies([False] * 95 + [None] * 5)
    rules = Rules(rules=(Rule(metric="false_refusal_rate", max=0.1),))
    (found,) = gated([of], rules)
    bounds = (
        "bounds: false refusals from 0.000 to 0.050; 95 to 100 of 100 answerable rows"
        " right"
    )
    often = "undecided most often: 5 times `reply`"
    assert [(check.rule, check.verdict, check.remark) for check in found.checks] == [
        ("no_reply ≤ 0.05", "pass", ""),
        ("unscored ≤ 0.05", "pass", f"5 undecided_offline; {bounds}; {often}"),
        ("errors ≤ 0.05", "pass", ""),
        ("false_refusal_rate ≤ 0.1", "pass", ""),
    ]
    (found,) = gated([replies([False] * 94 + [None] * 6)], rules)
    unscored = found.checks[1]
    assert (unscored.verdict, unscored.estimate.value) == ("undecided", 0.06)
    # no option makes a run pass of which too much is unknown
    assert overall(found.checks, "pass") == "undecided"
    assert overall(found.checks, "fail") == "fail"


def test_silence_above_its_limit_fails_and_the_limit_is_allowed() -> None:
    of = replies([False] * 100)
    rules = Rules(rules=(Rule(metric="false_refusal_rate", max=0.1),))
    for silent, verdict in ((5, "pass"), (6, "fail")):
        outcome = ["no_reply"] * silent + ["decided"] * (100 - silent)
        quiet = with_column(of, outcome=outcome, reason=["no_response"] * 100)
        (found,) = gated([quiet], rules)
        check = found.checks[0]
        assert (check.rule, check.verdict) == ("no_reply ≤ 0.05", verdict)
        often = f"gives no answer to {silent} of 100: {silent} no_response"
        assert check.remark == often


def test_a_run_in_which_every_sample_failed_fails_by_its_commonest_error() -> None:
    of = replies([False] * 20)
    errors = ["no reply in time"] + ["the connection failed"] * 19
    lost = of.replies.assign(error=errors)
    of = replace(of, replies=of.replies[:0], lost=lost)
    rules = Rules(
        rules=(
            Rule(metric="refusal_rate", max=0.1),
            Rule(metric="latency_p50", min=1, max=9, task="nq"),
            Rule(metric="answer_accuracy", no_worse_than=0.1, where={"domain": "law"}),
            Rule(metric="asi", min=0, task="bluff"),
        )
    )
    (found,) = gated([of], rules, [replies([False])])
    failed = "20 of 20 failed: 19 times the connection failed"
    nothing = ("undecided", f"no scored reply; {failed}")
    assert [(check.rule, check.verdict, check.remark) for check in found.checks] == [
        ("no_reply ≤ 0.05", "undecided", ""),
        ("unscored ≤ 0.05", "undecided", ""),
        ("errors ≤ 0.05", "fail", failed),
        ("refusal_rate ≤ 0.1", *nothing),
        ("latency_p50 ≤ 9", *nothing),
        ("latency_p50 ≥ 1", *nothing),
        ("answer_accuracy [domain=law] - baseline ≥ -0.1", *nothing),
    ]


def test_a_rule_of_right_answers_says_how_many_could_be_graded_offline() -> None:
    of = replies([False] * 8)
    of = with_column(of, right=[math.nan] + [1.0] * 7)
    check = one(of, metric="answer_accuracy", min=0.6)
    assert (check.verdict, check.remark) == (
        "undecided",
        "7 of 8 replies to answerable rows could be graded offline; add other wordings"
        " to `answers` or name a grader (`--model-role grader=…`)",
    )


def test_errors_missing_samples_and_ungraded_answers_are_unscored() -> None:
    of = replies(
        [False] * 4 + [None], right=None, sample_ids=[str(k) for k in range(10)]
    )
    of = replace(of, lost=of.replies[:1])
    expected = {"undecided": 1, "ungraded": 4, "ended in error": 1, "not run": 4}
    assert RunView(of).unscored == expected
    plain = replies([False] * 40, right=None)
    rule = Rule(metric="false_refusal_rate", max=0.1)
    assert overall(gated([plain], Rules(rules=(rule,)))[0].checks) == "pass"
    assert (
        overall(
            gated(
                [plain], Rules(rules=(rule, Rule(metric="answer_accuracy", min=0.1)))
            )[0].checks
        )
        == "undecided"
    )


def test_a_difference_is_paired_with_the_baseline() -> None:
    main = replies([True] * 10 + [False] * 190, "old")
    # 3 of 200 got worse: 0.015
    worse = replies([True] * 13 + [False] * 187)
    held = one(worse, baselines=[main], no_worse_than=0.05)
    assert held.rule == "false_refusal_rate - baseline ≤ 0.05"
    assert held.estimate.value == pytest.approx(0.015)
    assert (held.estimate.n, held.estimate.units) == (200, 200)
    assert held.verdict == "pass"
    assert one(worse, baselines=[main], no_worse_than=0.02).verdict == "undecided"
    assert (
        one(
            replies([True] * 60 + [False] * 140), baselines=[main], no_worse_than=0.05
        ).verdict
        == "fail"
    )
    assert one(main, baselines=[worse], no_worse_than=0).verdict == "pass"


def test_a_baseline_that_was_read_otherwise_is_told_of() -> None:
    args = {"judge": "offline"}
    both = [True, False] * 10
    this = replies(both, task_args=args)
    alike = replies(both, task_args=args)
    loss = one(this, baselines=[alike], no_worse_than=0.1)
    assert "read by" not in loss.remark
    loss = one(this, baselines=[replies(both)], no_worse_than=0.1)
    assert "read by rules and ngrams, the baseline by a grader" in loss.remark


def test_no_change_in_few_questions_does_not_show_that_there_is_none() -> None:
    of = replies([True] * 5 + [False] * 15)
    found = one(of, baselines=[of], no_worse_than=0.1)
    # 0 of 20 changed: up to 3.8415 / 23.8415
    assert found.estimate.value == 0
    assert found.estimate.high == pytest.approx(0.16113, abs=1e-5)
    assert (found.verdict, found.needed) == ("undecided", Needed(35, 35))


def test_a_loss_of_what_is_better_high_is_a_fall() -> None:
    main = replies([False] * 200, "old")
    of = replies([True] * 100 + [False] * 100)
    found = one(of, baselines=[main], metric="answer_accuracy", no_worse_than=0.1)
    assert (found.rule, found.verdict) == ("answer_accuracy - baseline ≥ -0.1", "fail")


def test_a_rule_is_about_the_rows_of_its_group() -> None:
    of = with_column(
        replies([False] * 40 + [True] * 40), domain=["law"] * 40 + ["art"] * 40
    )
    law, art = (one(of, max=0.1, where={"domain": name}) for name in ("law", "art"))
    assert (law.verdict, law.estimate.n, law.rule) == (
        "pass",
        40,
        "false_refusal_rate [domain=law] ≤ 0.1",
    )
    assert art.verdict == "fail"
    assert (
        one(of, baselines=[of], no_worse_than=0.1, where={"domain": "law"}).estimate.n
        == 40
    )
    with pytest.raises(
        DataError,
        match=r"rule 1 \(false_refusal_rate\), field 'where.domain': no row of 'tax'",
    ):
        one(of, max=0.1, where={"domain": "tax"})
    with pytest.raises(
        DataError, match="field 'where.colour': no row of 'red'; there are: none"
    ):
        one(of, max=0.1, where={"colour": "red"})


def test_a_rule_by_a_column_tells_which_part_fails() -> None:
    documents = ["faq.md"] * 60 + ["prices.md"] * 40 + ["terms.md"] * 4
    of = with_column(replies([False] * 60 + [True] * 44), source_document=documents)
    made = Rules(
        rules=(Rule(metric="false_refusal_rate", max=0.2, by="document"),),
        max_unscored=1,
    )
    (found,) = gated([of], made)
    assert {
        check.where["document"]: (check.verdict, check.remark)
        for check in found.checks[3:]
    } == {
        "faq.md": ("pass", ""),
        "prices.md": ("fail", ""),
        "terms.md": ("fail", ""),
    }
    with pytest.raises(DataError, match=r"rule 1 .*: no row has a value"):
        one(of, max=0.1, by="colour")


def test_a_part_without_rows_is_left_out_but_not_one_of_unscored_rows() -> None:
    unanswerable = [row(f"u{k}", Label.MISSING) for k in range(20)]
    answerable = [row(f"a{k}", Label.ANSWER, *CLEAR) for k in range(20)]
    of = run(
        [*unanswerable, *answerable, *(row(f"n{k}", None, *CLEAR) for k in range(3))]
    )
    of = with_column(of, kind=["unanswerable"] * 20 + ["answerable"] * 20 + ["new"] * 3)
    rule = Rule(metric="missed_refusal_rate", max=0.5, by="kind")
    (found,) = gated([of], Rules(rules=(rule,), max_unscored=1))
    assert {check.where["kind"]: check.verdict for check in found.checks[3:]} == {
        "unanswerable": "pass",
        "new": "undecided",
    }
    mixed = with_column(of, kind=["unanswerable"] * 20 + ["answerable"] * 23)
    (found,) = gated([mixed], Rules(rules=(rule,), max_unscored=1))
    assert [check.verdict for check in found.checks[3:]] == ["undecided", "pass"]
    some = with_column(of, kind=[""] * 20 + ["answerable"] * 20 + [""] * 3)
    with pytest.raises(
        DataError,
        match=(
            r"rule 1 \(missed_refusal_rate\): no value of kind has a row for this"
            r" metric"
        ),
    ):
        gated([some], Rules(rules=(rule,), max_unscored=1))


@pytest.mark.parametrize(
    "rule, told",
    [
        (
            {"metric": "accuracy", "max": 1},
            (
                r"rule 1 \(accuracy\): no log has this metric; those with a CI are:"
                r" answer_accuracy, false_refusal_rate"
            ),
        ),
        ({"task": "bluff", "max": 0.1}, "no log is of the task 'bluff'; there are: nq"),
        ({"max": 10}, r"field 'max': 10 is no share from 0 to 1 \(10 % is 0.1\)"),
        ({"metric": "hybrid_score", "min": 0.1}, "no log has this metric"),
        ({"metric": "control_answer_accuracy", "min": 0.1}, "no log has this metric"),
        ({"no_worse_than": 0.1}, "needs a baseline: --against LOG"),
    ],
)
def test_a_rule_that_cannot_be_held_against_anything_is_told(
    rule: dict[str, Any], told: str
) -> None:
    with pytest.raises(DataError, match=told):
        one(replies([False] * 10), **rule)


def test_every_run_needs_a_rule() -> None:
    rules = Rules(rules=(Rule(metric="false_refusal_rate", max=0.1, task="nq"),))
    with pytest.raises(DataError, match="no rule is about this run of garage"):
        gated([replies([False] * 9), replies([False] * 9, task="garage")], rules)


def test_a_baseline_is_of_the_task_and_of_the_model_if_there_are_several() -> None:
    of = replies([True])
    old = replies([True], "old")
    other = replies([True], "other")
    assert baseline_of(of, [old]) is old
    assert baseline_of(of, [old, other, of]) is of
    with pytest.raises(DataError, match="2 runs of nq there"):
        baseline_of(of, [old, other])
    with pytest.raises(DataError, match="0 runs of nq there"):
        baseline_of(of, [replies([True], task="garage")])


def test_of_several_baselines_of_a_model_the_one_on_the_same_data_counts() -> None:
    app = replies([True], data="app.jsonl")
    index = replies([True], data="index.jsonl")
    assert baseline_of(app, [app, index]) is app
    assert baseline_of(index, [app, index]) is index
    with pytest.raises(DataError, match="2 runs of nq there; name the log for other"):
        baseline_of(replies([True], "other", data="new.jsonl"), [app, index])


def test_an_error_lists_only_metrics_that_a_rule_can_use() -> None:
    with pytest.raises(
        DataError,
        match="no log has this metric; those with a CI are: answer_accuracy, ",
    ) as error:
        one(replies([False] * 20), metric="latency_p95", max=2)
    # of answerable rows alone
    assert "missed_refusal_rate" not in str(error.value)


def test_other_data_are_not_compared_unless_told() -> None:
    of = replies([False] * 20)
    old = replies([False] * 20, selected_fingerprint="g")
    with pytest.raises(DataError, match="--any-data"):
        one(of, baselines=[old], no_worse_than=0.1)
    rules = Rules(rules=(Rule(metric="false_refusal_rate", no_worse_than=0.5),))
    assert overall(gated([of], rules, [old], any_data=True)[0].checks) == "pass"


def test_metrics_without_a_difference_are_told() -> None:
    of = replies([False, True] * 20)
    with pytest.raises(
        DataError,
        match=(
            "'no_worse_than': logs are not compared by it; they are by: answer_accuracy"
        ),
    ):
        one(of, baselines=[of], metric="macro_refusal_accuracy", no_worse_than=0.1)


def test_a_loss_for_all_rules_says_which_it_leaves_out() -> None:
    of = with_column(replies([False, True] * 40), latency=[1.0, 2.0] * 40)
    rules = Rules(
        rules=(
            Rule(metric="latency_per_row", max=5),
            Rule(metric="macro_refusal_accuracy", max=1),
            Rule(metric="false_refusal_rate", max=0.7),
        ),
        no_worse_than=0.2,
    )
    (found,) = gated([of], rules, [of])
    remarks = [
        (check.rule, check.remark.rpartition("; ")[2]) for check in found.checks[3:]
    ]
    assert remarks == [
        (
            "latency_per_row ≤ 5",
            "left out by no_worse_than: state a loss in its own unit",
        ),
        (
            "macro_refusal_accuracy ≤ 1",
            "left out by no_worse_than: logs are not compared by it",
        ),
        ("false_refusal_rate ≤ 0.7", ""),
        ("false_refusal_rate - baseline ≤ 0.2", ""),
    ]
    with pytest.raises(DataError, match=r"rule 2 .*'no_worse_than': 2 is no share"):
        gated([of], rules.model_copy(update={"no_worse_than": 2.0}), [of])


def test_a_retrieved_document_that_misleads_fails_by_its_name() -> None:
    rows = []
    for k in range(40):
        given = Label.ANSWER if k % 2 else Label.MISSING
        sample = row(f"{k}", given, reply="It is 5.60." if k % 2 else "Unknown.")
        passages = ["Prices 2024\nA ticket is 5.60.", "Prices 2026\nA ticket is 6.20."]
        sample.store = {"refusalbench_retrieved": passages[:: 1 if k % 2 else -1]}
        rows.append(sample)
    rule = Rule(metric="missed_refusal_rate", max=0.5, by="retrieved_document")
    [gate] = gated([run(rows)], Rules(rules=(rule,), max_unscored=1))
    verdicts = {check.rule: check.verdict for check in gate.checks if check.where}
    assert verdicts == {
        "missed_refusal_rate [retrieved_document=Prices 2024] ≤ 0.5": "fail",
        "missed_refusal_rate [retrieved_document=Prices 2026] ≤ 0.5": "pass",
    }
