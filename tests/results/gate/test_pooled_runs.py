"""The gate against the runs before the newest."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import row, write_log


def log(folder: Path, false: int, **facts: Any) -> Path:
    """Write a run of 40 answerable and 40 unanswerable rows, of which so many are
    refused falsely.
    """
    rows = [row(f"b{k}", Label.MISSING) for k in range(40)]
    for k in range(40):
        reply = Label.OTHER if k < false else Label.ANSWER
        rows.append(row(f"a{k}", reply, intensity=Intensity.LOW))
    return write_log(folder, "m", rows, **facts)


def test_the_newest_run_is_held_against_the_runs_before_it(tmp_path: Path) -> None:
    newest = [log(tmp_path, false) for false in (3, 1, 2, 30)][-1]
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
    log(tmp_path, 1, task_args={"judge": "offline", "reader": "vectors"})
    log(tmp_path, 1, task_args={"judge": "offline"})
    rule = ["--max", "false_refusal_rate=1", "--no-worse-than", "0.1"]
    result = CliRunner().invoke(main, ["gate", str(tmp_path), "--last", "2", *rule])
    assert result.exit_code == 2
    assert "--last: no finished run of m on the same rows" in result.output
