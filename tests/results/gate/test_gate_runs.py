"""Which runs of a folder a gate is about."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalError, read_eval_log, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.gate.gated_logs import LIMIT, answerable, bluff, log, only_line, run
from tests.results.synthetic import row, write_log


def test_the_newest_run_of_each_task_and_model_is_held_against_its_rules(
    tmp_path: Path,
) -> None:
    for refused, model in ((20, "m"), (0, "m"), (0, "other")):
        log(tmp_path, refused, model)
    write_log(tmp_path, "m", bluff(), task="bluff", scorer="hedging_scores")
    rules = tmp_path / "gate.yaml"
    rules.write_text(
        "rules:\n- {metric: false_refusal_rate, max: 0.1}\n"
        "- {metric: refusal_rate_ambiguous, min: 0.2, max: 0.8, task: bluff}\n"
    )
    result = run(tmp_path, "--rules", rules, "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {(one["task"], one["model"], one["log"][-6:]) for one in found["runs"]} == {
        ("nq", "m", "1.eval"),
        ("nq", "other", "2.eval"),
        ("bluff", "m", "3.eval"),
    }
    assert "stands for" in result.stderr
    assert "0.eval" in result.stderr


def test_runs_on_other_data_are_gated_and_fresh_rows_replace_older_ones(
    tmp_path: Path,
) -> None:
    for refused, data, rows in (
        (20, "app", "old"),
        (0, "app", "new"),
        (20, "index", "new"),
    ):
        write_log(
            tmp_path,
            "m",
            answerable(refused),
            data=f"{data}.jsonl",
            selected_fingerprint=rows,
        )
    result = run(tmp_path, LIMIT, "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)["runs"]
    assert [(one["data"], one["log"][-6:], one["verdict"]) for one in found] == [
        ("app.jsonl", "1.eval", "pass"),
        ("index.jsonl", "2.eval", "fail"),
    ]
    assert "0.eval" in result.stderr
    # each is held against the baseline on its own data
    result = run(
        tmp_path,
        LIMIT,
        "--against",
        tmp_path,
        "--no-worse-than",
        "0.2",
        "--format",
        "json",
    )
    assert [one["against"][-6:] for one in json.loads(result.stdout)["runs"]] == [
        "1.eval",
        "2.eval",
    ]


@pytest.mark.parametrize("status", ["started", "cancelled", "error"])
def test_a_run_that_did_not_end_well_cannot_pass(tmp_path: Path, status: str) -> None:
    write_log(tmp_path, "m", answerable(0), status=status)
    assert "finish or remove it" in only_line(run(tmp_path, LIMIT))


def test_a_run_with_invalidated_samples_cannot_pass(tmp_path: Path) -> None:
    path = log(tmp_path, 0)
    made = read_eval_log(str(path))
    made.invalidated = True
    write_eval_log(made, str(path))
    assert "marked as invalid" in only_line(run(tmp_path, LIMIT))


def outage(folder: Path, **options: Any) -> Path:
    """Write a run of which every sample failed."""
    samples = answerable(0)
    error = EvalError(message="connection refused", traceback="", traceback_ansi="")
    for sample in samples:
        sample.scores = None
        sample.error = error
    return write_log(folder, "m", samples, **options)


def test_the_newest_run_fails_with_its_cause_where_every_sample_failed(
    tmp_path: Path,
) -> None:
    log(tmp_path, 0)
    outage(tmp_path)
    result = run(tmp_path, LIMIT)
    assert result.exit_code == 1
    assert "40 of 40 failed: connection refused" in result.stdout
    junit = run(tmp_path, LIMIT, "--format", "junit").stdout
    assert "40 of 40 failed: connection refused" in junit


def test_an_outage_is_harmless_once_a_newer_run_has_finished(tmp_path: Path) -> None:
    outage(tmp_path)
    log(tmp_path, 0)
    result = run(tmp_path, LIMIT)
    assert result.exit_code == 0
    assert "stands for" in result.stderr


def test_a_run_that_ended_in_an_error_names_it(tmp_path: Path) -> None:
    outage(tmp_path, status="error")
    problem = only_line(run(tmp_path, LIMIT))
    assert "ended in an error (40 of 40 failed: connection refused)" in problem


def test_an_outage_is_no_baseline(tmp_path: Path) -> None:
    outage(tmp_path / "main")
    words = ("--against", tmp_path / "main", "--no-worse-than", "0.2")
    problem = only_line(run(log(tmp_path / "new", 0), LIMIT, *words))
    assert "no scored sample" in problem
    assert "40 of 40 failed: connection refused" in problem


def refusing(folder: Path, false: int, **facts: Any) -> Path:
    """Write a run of 40 answerable and 40 unanswerable rows, of which so many are
    refused falsely.
    """
    rows = [row(f"b{k}", Label.MISSING) for k in range(40)]
    for k in range(40):
        reply = Label.OTHER if k < false else Label.ANSWER
        rows.append(row(f"a{k}", reply, intensity=Intensity.LOW))
    return write_log(folder, "m", rows, **facts)


def test_the_newest_run_is_held_against_the_runs_before_it(tmp_path: Path) -> None:
    newest = [refusing(tmp_path, false) for false in (3, 1, 2, 30)][-1]
    rule = ["--max", "false_refusal_rate=1", "--no-worse-than", "0.1"]
    options = ["--last", "2", "--format", "json", *rule]
    result = CliRunner().invoke(main, ["gate", str(tmp_path), *options])
    assert result.exit_code == 1, result.output
    checks = json.loads(result.stdout)["runs"][0]["checks"]
    [gap] = [check for check in checks if "baseline" in check["rule"]]
    assert gap["value"] == pytest.approx((30 - (1 + 2) / 2) / 40)
    assert gap["verdict"] == "fail"
    alone = CliRunner().invoke(main, ["gate", str(newest), *options])
    assert alone.exit_code == 2
    assert "--last: no finished run of" in alone.output


def test_runs_that_were_read_otherwise_are_no_baseline(tmp_path: Path) -> None:
    refusing(tmp_path, 1, task_args={"judge": "offline", "reader": "vectors"})
    refusing(tmp_path, 1, task_args={"judge": "offline"})
    rule = ["--max", "false_refusal_rate=1", "--no-worse-than", "0.1"]
    result = CliRunner().invoke(main, ["gate", str(tmp_path), "--last", "2", *rule])
    assert result.exit_code == 2
    assert "--last: no finished run of m on the same rows" in result.output
