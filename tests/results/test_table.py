"""Logs become one table of replies; what can't be read is named and left out."""

import math
from pathlib import Path

import pytest
from inspect_ai.log import EvalError, read_eval_log, write_eval_log
from inspect_ai.model import ModelUsage

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.table import ABOUT, frame, read_logs
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log


def test_a_reply_is_one_row_and_a_sample_without_a_score_is_lost(
    tmp_path: Path,
) -> None:
    lost = row("3", Label.MISSING)
    lost.scores = None
    write_log(
        tmp_path, "lab/m", [row("1", Label.ANSWER, reply="Paris"), row("2", None), lost]
    )
    (run,) = read_logs([str(tmp_path)], texts=True).runs
    assert list(run.replies["sample_id"]) == ["1", "2"]
    assert list(run.lost["sample_id"]) == ["3"]
    assert list(run.lost["outcome"]) == ["error"]
    assert run.replies["reply"].iloc[0] == "Paris"
    assert list(run.replies.columns) == list(run.lost.columns)
    assert set(ABOUT) <= set(run.replies.columns)
    assert (run.task, run.model, run.status) == ("nq", "lab/m", "success")
    assert len(frame([run])) == 3


def test_without_texts_nothing_is_read_of_what_was_said(tmp_path: Path) -> None:
    write_log(tmp_path, "m", [row("1", Label.ANSWER)])
    (run,) = read_logs([str(tmp_path)]).runs
    assert run.replies["reply"].tolist() == [None]
    assert math.isnan(run.replies["latency"].iloc[0])


def test_a_finished_run_stands_for_its_attempts_and_other_logs_are_named(
    tmp_path: Path,
) -> None:
    write_log(tmp_path, "m", [row("1", Label.MISSING)], status="cancelled")
    write_log(tmp_path, "m", [row("1", Label.MISSING), row("2", Label.MISSING)])
    write_log(tmp_path, "other", [row("1", Label.MISSING)], task="mmlu", scorer="match")
    (tmp_path / "2026-01-01T00-00-00_nq_damaged.eval").write_bytes(
        b"PK\x03\x04 cut off"
    )
    found = read_logs([str(tmp_path)])
    assert [len(run.replies) for run in found.runs] == [2]
    reasons = sorted(reason for _, reason in found.left_out)
    assert [reason.split(" (")[0] for reason in reasons] == [
        "a later log continues this run",
        "not a log of this suite with scores",
        "not a readable log of this suite",
    ]


def test_logs_in_json_give_the_same_table(tmp_path: Path) -> None:
    write_log(tmp_path / "eval", "m", [row("1", Label.ANSWER), row("2", None)])
    (path,) = (tmp_path / "eval").glob("*.eval")
    write_eval_log(
        read_eval_log(str(path)), str(tmp_path / "json" / "2026-01-01T00-00-00_nq.json")
    )
    one, other = (
        read_logs([str(tmp_path / kind)]).runs[0].replies for kind in ("eval", "json")
    )
    assert one.drop(columns="log").equals(other.drop(columns="log"))


@pytest.mark.parametrize("texts", [False, True])
def test_samples_that_a_log_in_json_lists_twice_count_once(
    tmp_path: Path, texts: bool
) -> None:
    lost = row("3", Label.MISSING)
    lost.scores = None
    path = write_log(
        tmp_path / "eval", "m", [row("1", Label.ANSWER), row("2", None), lost]
    )
    log = read_eval_log(str(path))
    log.samples = 2 * (log.samples or [])
    write_eval_log(log, str(tmp_path / "json" / "2026-01-01T00-00-00_nq.json"))
    (run,) = read_logs([str(tmp_path / "json")], texts).runs
    assert (len(run.replies), len(run.lost)) == (2, 1)


def test_nothing_of_ours_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match="no log with scored samples of nq, garage or bluff"
    ):
        read_logs([str(tmp_path)])
    with pytest.raises(DataError, match="no such file or folder"):
        read_logs([str(tmp_path / "missing")])


def test_logs_without_a_scored_sample_are_left_out_with_their_cause(
    tmp_path: Path,
) -> None:
    failed = [row("1", Label.ANSWER), row("2", Label.ANSWER), row("3", Label.ANSWER)]
    causes = ("status 503", "refused\x1b", "refused\x1b")
    for sample, cause in zip(failed, causes, strict=True):
        sample.scores = None
        sample.error = EvalError(message=cause, traceback="", traceback_ansi="")
    write_log(tmp_path, "m", failed)
    with pytest.raises(DataError, match="3 of 3 failed: 2 times refused") as error:
        read_logs([str(tmp_path)])
    assert "\x1b" not in error.value.message
    [run] = read_logs([str(tmp_path)], failed=True).runs
    assert (len(run.replies), len(run.lost)) == (0, 3)


def test_a_run_that_ended_in_an_error_is_left_out_with_that_error(
    tmp_path: Path,
) -> None:
    cancelled = row("1", Label.ANSWER)
    cancelled.scores = None
    cancelled.error = EvalError(
        message="CancelledError", traceback="", traceback_ansi=""
    )
    path = write_log(tmp_path, "m", [cancelled], status="error")
    log = read_eval_log(str(path))
    log.error = EvalError(
        message="the grader misreads", traceback="", traceback_ansi=""
    )
    write_eval_log(log, str(path))
    with pytest.raises(DataError, match="status: error.: the grader misreads"):
        read_logs([str(tmp_path)])


def test_tokens_of_a_prompt_count_wherever_they_were_read_from(tmp_path: Path) -> None:
    cold = row("1", Label.ANSWER)
    warm = row("2", Label.ANSWER)
    cold.model_usage = {
        "m": ModelUsage(input_tokens=900, output_tokens=10, total_tokens=910)
    }
    warm.model_usage = {
        "m": ModelUsage(
            input_tokens=100,
            input_tokens_cache_read=700,
            input_tokens_cache_write=100,
            output_tokens=10,
            total_tokens=910,
        )
    }
    write_log(tmp_path, "m", [cold, warm])
    (run,) = read_logs([str(tmp_path)]).runs
    assert run.replies["tokens"].tolist() == [910, 910]
