"""Comparisons of logs whose right answers are known by construction."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.results.compare.comparison import compare
from refusalbench_tasks.results.compare.contamination import contamination_gap
from refusalbench_tasks.results.compare.differences import POWER
from refusalbench_tasks.results.logs.find import newest_run
from refusalbench_tasks.results.logs.run import Key, RefusalRun
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import refusal_run


def replies(
    right: Sequence[bool | None], model: str = "m", controls: Mapping[Key, Outcome] | None = None, **changes: Any
) -> RefusalRun:
    """Return answerable rows, two per question, with the given correctness (None is unscored)."""
    outcomes = {
        (str(k), 1): Outcome(Label.ANSWER, None if ok is None else Label.ANSWER, ok, f"q{k // 2}")
        for k, ok in enumerate(right)
    }
    return refusal_run(outcomes, model, controls, **changes)


def one(a: RefusalRun, b: RefusalRun, **options: Any) -> dict[str, Any]:
    (made,) = compare(a, [b], **options)
    return {d.metric: d for d in made.differences} | {d.name: d for d in made.tests} | {"made": made}


def test_a_known_difference() -> None:
    a, b = replies([True] * 6 + [False] * 14), replies([True] * 12 + [False] * 8, "b")
    found = one(a, b)
    accuracy = found["answer_accuracy"]
    assert (accuracy.a, accuracy.b) == (0.3, 0.6)
    assert accuracy.difference == pytest.approx(0.3)
    assert 0 < accuracy.low < 0.3 < accuracy.high
    assert (found["right"].mcnemar.only_first, found["right"].mcnemar.only_second) == (0, 6)
    assert found["right"].mcnemar.p == pytest.approx(2 / 2**6)
    assert found["refused"].mcnemar.p == 1.0
    assert found["right"].p_holm == pytest.approx(4 / 2**6)
    assert math.isnan(found["refusal_accuracy"].difference)
    assert found["made"].clusters == 10
    assert accuracy.smallest > 0


def test_runs_of_grounded_answers_have_their_composite_compared() -> None:
    def graded(right: Sequence[bool]) -> RefusalRun:
        made = replies(right, task="garage")
        rows: Any = {key: replace(row, numbers={"eligible": 1.0}) for key, row in made.rows.items()}
        return replace(made, rows=rows)

    found = one(graded([True] * 5 + [False] * 15), graded([True] * 10 + [False] * 10))
    assert (found["hybrid_score"].a, found["hybrid_score"].b, found["hybrid_score"].n) == (0.25, 0.5, 20)
    assert "hybrid_score" not in one(replies([True, False]), replies([False, False]))


def test_the_smallest_visible_difference_follows_from_the_clustered_error() -> None:
    # per question the difference is 0 or 1 in both of its rows: the spread is that of ten questions, not of twenty rows
    a, b = replies([False] * 20), replies([True, True] * 5 + [False] * 10, "b")
    expected = POWER * np.std([1] * 5 + [0] * 5, ddof=1) / math.sqrt(10)
    assert one(a, b)["answer_accuracy"].smallest == pytest.approx(expected)


def test_pairing_finds_what_two_separate_intervals_hide() -> None:
    rng = np.random.default_rng(0)
    base = rng.random(400) < 0.5
    better = base | (rng.random(400) < 0.06)
    found = one(replies(base.tolist()), replies(better.tolist(), "b"))["answer_accuracy"]
    assert found.low > 0
    assert found.high - found.low < 0.06


def test_equal_logs_do_not_differ() -> None:
    a = replies([True, False] * 10)
    found = one(a, a)
    assert found["answer_accuracy"].difference == found["answer_accuracy"].low == found["answer_accuracy"].high == 0
    assert found["right"].mcnemar.p == 1.0


def test_what_is_undecided_in_either_log_is_in_no_test() -> None:
    found = one(replies([True, None, True, True]), replies([False, False, None, True], "b"))
    assert (found["made"].n, found["made"].undecided, found["right"].mcnemar.n) == (2, 2, 2)
    assert (found["answer_accuracy"].a, found["answer_accuracy"].b) == (1.0, 0.5)
    with pytest.raises(DataError, match="no sample that is decided in both"):
        compare(replies([True, None]), [replies([None, True], "b")])


def test_samples_of_one_log_only_are_counted_and_left_out() -> None:
    a, b = replies([True] * 6), replies([True] * 4, "b")
    made = one(a, b)["made"]
    assert (made.n, made.only_a, made.only_b) == (4, 2, 0)


def test_different_data_are_refused_unless_told() -> None:
    a, b = replies([True] * 4), replies([False] * 4, "b", fingerprint="other")
    with pytest.raises(DataError, match="not those of m .*--any-data"):
        compare(a, [b])
    assert one(a, b, any_data=True)["answer_accuracy"].difference == -1.0
    with pytest.raises(DataError, match="a run of garage"):
        compare(a, [replies([True], task="garage")])
    with pytest.raises(DataError, match="no sample in common"):
        compare(a, [replies([], "c")])


def test_the_family_of_tests_spans_all_logs() -> None:
    a = replies([True] * 4)
    first, second = compare(a, [replies([False] * 4, "b"), replies([True] * 4, "c")])
    assert first.tests[1].p_holm == pytest.approx(4 * first.tests[1].mcnemar.p)
    assert second.tests[1].p_holm == 1.0


def test_the_contamination_gap_is_that_of_two_independent_sets() -> None:
    static, fresh = replies([True] * 80 + [False] * 20), replies([True] * 50 + [False] * 50)
    gap = contamination_gap(static, fresh)
    drop = next(d for d in gap.drops if d.metric == "answer_accuracy")
    assert (drop.static, drop.fresh) == (0.8, 0.5)
    expected = math.sqrt(2) * math.sqrt(0.8 * 0.2 / 100 + 0.5 * 0.5 / 100)  # two equal rows per question
    assert (drop.high - drop.low) / (2 * 1.96) == pytest.approx(expected, rel=0.15)
    assert gap.promised == pytest.approx(0.3 + math.sqrt(math.log(40) / (2 * 50)))  # fifty questions
    with pytest.raises(DataError, match="of one model: static is of m, fresh of other"):
        contamination_gap(static, replies([True], "other"))


def test_logs_are_compared_on_the_command_line(tmp_path: Path) -> None:
    for name, solver in (("a", oracle()), ("b", always_refuse())):
        task = nq(data="sample", judge="offline", per_stratum=2, controls="add")
        eval(task, solver=solver, model="none/none", log_dir=str(tmp_path / name), display="none")
    a = newest_run(str(tmp_path / "a")).run
    assert isinstance(a, RefusalRun)
    assert len(a.perturbed) == 36
    assert a.model == "oracle"
    result = CliRunner().invoke(main, ["compare", str(tmp_path / "a"), str(tmp_path / "b")])
    assert result.exit_code == 0, result.output
    assert "36 samples" in result.output
    assert "false_refusal_rate" in result.output
    for arguments, problem in (
        ([str(tmp_path / "a")], "give two or more logs"),
        (["--static", str(tmp_path / "a")], "go together"),
        (["--static", str(tmp_path / "a"), "--fresh", str(tmp_path / "b")], "fresh of always_refuse"),
        ([str(tmp_path), str(tmp_path / "none")], "does not exist"),
    ):
        result = CliRunner().invoke(main, ["compare", *arguments])
        assert result.exit_code != 0
        assert problem in result.output


def test_ungraded_attempts_make_no_difference_between_equal_models() -> None:
    # both refuse 20 of 100 answerable rows; A's attempts are mostly ungraded
    def model(refused: range, ungraded: range, name: str) -> RefusalRun:
        outcomes = {}
        for k in range(100):
            label = Label.MISSING if k in refused else Label.ANSWER
            correct = None if label is Label.MISSING or k in ungraded else True
            outcomes[str(k), 1] = Outcome(Label.ANSWER, label, correct, f"q{k}")
        return refusal_run(outcomes, name)

    found = one(model(range(20), range(28, 100), "a"), model(range(20, 40), range(0), "b"))
    assert found["false_refusal_rate"].a == found["false_refusal_rate"].b == 0.2
    assert found["false_refusal_rate"].n == 100
    assert (found["refused"].mcnemar.only_first, found["refused"].mcnemar.only_second, found["refused"].mcnemar.n) == (
        20,
        20,
        100,
    )
    # graded in both: 20 refused by A only, 8 refused by B only
    assert (found["answer_accuracy"].a, found["answer_accuracy"].b) == (8 / 28, 20 / 28)
    assert found["answer_accuracy"].n == 28


def test_controls_are_compared_beside_the_rest_and_alone() -> None:
    rows = {(f"c{k}", 1): Outcome(Label.ANSWER, Label.ANSWER, k % 2 == 0, f"q{k}") for k in range(10)}
    better = {key: replace(outcome, correct=True) for key, outcome in rows.items()}
    alone = one(replies([], controls=rows), replies([], "b", controls=better))
    assert alone["control_answer_accuracy"].difference == 0.5
    assert alone["control_false_refusal_rate"].n == alone["control_false_refusal_rate"].n_b == 10
    assert "answer_accuracy" not in alone
    beside = one(replies([True] * 4, controls=rows), replies([False] * 4, "b", controls=better))
    assert beside["answer_accuracy"].difference == -1
    assert beside["control_answer_accuracy"].difference == 0.5


def test_category_accuracy_has_the_n_of_each_side() -> None:
    def reply(code: Label) -> Outcome:
        return Outcome(Label.MISSING, code, None, "q")

    a = {(str(k), 1): reply(Label.MISSING) for k in range(4)}
    b = a | {("0", 1): reply(Label.ANSWER)}
    found = one(refusal_run(a), refusal_run(b, "b"))["category_accuracy"]
    assert (found.n, found.n_b) == (4, 3)


def told(run: RefusalRun, cluster: Any) -> RefusalRun:
    rows: Any = {key: replace(row, cluster=cluster) for key, row in run.rows.items()}
    return replace(run, rows=rows)


def test_rows_are_independent_where_both_logs_were_told_so() -> None:
    # two rows a question, and one question turns from wrong to right
    a, b = replies([True] * 6 + [False] * 2), replies([True] * 8, "b")
    asked, rows = one(a, b), one(told(a, "row"), told(b, "row"))
    # one question that differs: either sign is as far out; of two rows 2 of 4 ways to flip them
    assert asked["right"].p_clusters == 1.0
    assert rows["right"].p_clusters == pytest.approx(0.5, abs=0.05)
    # the gaps are 2 of 2 in one question of four; of eight rows 1 in two: s / sqrt(n) with 3 and with 7
    assert asked["answer_accuracy"].smallest == pytest.approx(POWER * math.sqrt(0.25 * 0.75 / 3))
    assert rows["answer_accuracy"].smallest == pytest.approx(POWER * math.sqrt(0.25 * 0.75 / 7))
    assert (rows["made"].clusters, rows["made"].cluster) == (4, "row")
    # one log alone does not make rows independent
    assert one(told(a, "row"), b)["right"] == asked["right"]


def test_the_gap_to_a_fresh_set_resamples_what_the_runs_were_told() -> None:
    static, fresh = replies([True] * 10 + [False] * 10), replies([True] * 10 + [False] * 10)
    by_question, by_row = (
        contamination_gap(told(static, cluster), told(fresh, cluster)) for cluster in ("question", "row")
    )
    widths = [gap.drops[0].high - gap.drops[0].low for gap in (by_question, by_row)]
    # ten questions of two equal rows: errors shrink by sqrt(2)
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(2), rel=0.15)
    assert (by_question.questions, by_question.promised) == (by_row.questions, by_row.promised)


def test_copies_of_a_question_make_nothing_significant() -> None:
    # five questions of ten equal rows each, all of which change
    outcomes = {
        (f"{q}-{k}", 1): Outcome(Label.ANSWER, Label.ANSWER, False, f"q{q}") for q in range(5) for k in range(10)
    }
    better = {key: replace(outcome, correct=True) for key, outcome in outcomes.items()}
    a, b = (refusal_run(rows, name) for name, rows in (("a", outcomes), ("b", better)))
    found = one(a, b)["right"]
    assert found.mcnemar.p < 1e-9
    # 2 of the 2^5 ways to flip five questions are as far out
    assert found.p_clusters == pytest.approx(2 / 2**5, abs=0.03)
