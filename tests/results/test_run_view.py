"""One view of a run: `show` and the report have the same numbers, tables and
warnings.
"""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from refusalbench_tasks.report.figures.calibration import error_by_part
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.run_view import GroupKey, RunView
from refusalbench_tasks.results.show import shown_runs, text_tables
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Label
from tests.results.frozen_runs import frozen_run, group_of
from tests.results.synthetic import hedging_sample, row, run, write_log


def test_calibration_claims_no_more_in_the_report_than_in_show() -> None:
    """Of four questions no percentiles of resamples are a CI."""
    whole = frozen_run(Path(__file__).parent / "frozen" / "nq_cascade.eval")
    four = sorted(set(whole.replies["cluster"]))[:4]
    cut = whole.of_rows(whole.replies["cluster"].isin(four))
    numbers = RunView(cut).numbers
    assert not numbers["ece"].has_interval
    [system] = group_of(cut).systems
    chart = getattr(error_by_part(group_of(cut)), "chart", None)
    assert chart
    assert repr(chart.series["all replies"]) == repr([numbers["ece"]])
    assert repr(system.numbers) == repr(numbers)


def answered(model: str, **facts: str) -> Run:
    return run([row("1", Label.MISSING)], model, **facts)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"prompt_sha256": "b" * 64}, "prompt bbbbbbbb"),
        ({"task_args": {"judge": "offline"}}, "replies read by rules and ngrams"),
    ],
)
def test_runs_that_were_asked_or_read_otherwise_stand_in_other_tables(
    facts: dict[str, str], told: str
) -> None:
    runs = [
        answered("m", prompt_sha256="a" * 64),
        answered("n", **{"prompt_sha256": "a" * 64} | facts),
    ]
    assert [len(group) for group in shown_runs(runs)] == [1, 1]
    assert told in text_tables(shown_runs(runs))
    assert any(told in group.title for group in groups_of(runs))
    first, second = (RunView(one).group_key for one in runs)
    assert first != second
    assert first.compared() == second.compared()


def test_runs_whose_hedges_were_counted_by_other_lists_stand_in_other_tables() -> None:
    one = run([hedging_sample("q", "clear")], "m", "bluff")
    other = replace(one, replies=one.replies.assign(lexicon="mine (12345678)"))
    assert [len(group) for group in shown_runs([one, other])] == [1, 1]
    assert "hedges counted by mine (12345678)" in text_tables(shown_runs([one, other]))
    keys = [RunView(view).group_key.compared() for view in (one, other)]
    assert keys[0] != keys[1]


def test_rows_of_an_unknown_fingerprint_are_told_by_their_path() -> None:
    unknown = answered("m", selected_fingerprint="", data="/rows.jsonl")
    assert RunView(unknown).group_key == GroupKey(
        "nq", "unknown, /rows.jsonl", "paper", "", "", "a grader"
    )
    assert RunView(unknown).group_key.compared(any_data=True).rows == ""


def test_a_run_has_one_list_of_warnings(tmp_path: Path) -> None:
    samples = [row("1", Label.MISSING), row("2", None, reason="grader_failed")]
    path = write_log(tmp_path, "m", samples, status="cancelled")
    one = frozen_run(path)
    due = [
        "the run did not finish (status: cancelled).",
        "not everything is known of 1 of 2: 1 undecided; read the bounds.",
    ]
    assert RunView(one).warnings == due
    assert group_of(one).warnings == [f"m: {text}" for text in due]
    assert all(f"Warning: m: {text}" in text_tables(shown_runs([one])) for text in due)


def test_bounds_are_said_to_leave_out_rows_without_a_score() -> None:
    samples = [row(str(k), Label.MISSING) for k in range(2)]
    some = run(samples, sample_ids=["0", "1", "2"])
    [warning] = RunView(some).warnings
    assert warning.endswith("bounds, in which errors and rows not run have no part.")


def test_a_run_with_replies_that_were_cut_off_says_what_to_do() -> None:
    one = run([row("1", Label.MISSING), row("2", None, reason="truncated")])
    [warning] = RunView(one).warnings
    assert warning.startswith("1 of 2 replies were cut off")
    assert "--max-tokens" in warning


def test_a_metric_that_a_run_lacks_is_unknown() -> None:
    assert math.isnan(RunView(answered("m")).number("hybrid_score").value)
