"""What the database Every Eval Ever is given says which way is better, how sure a
number is, and how much of it was read by whom.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import Task, eval

from refusalbench_tasks import bluff, nq
from refusalbench_tasks.cli import main
from refusalbench_tasks.report.every_eval_ever import model_id
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import read_logs
from tests.models import fake


def _run(task: Task, folder: Path, limit: int | None = None) -> None:
    replies = fake(
        lambda prompt: "Hmm." if len(prompt) % 5 == 0 else "REFUSE_INFO_MISSING"
    )
    eval(task, model=replies, limit=limit, log_dir=str(folder), display="none")


def _export(logs: Path, folder: Path) -> str:
    result = CliRunner().invoke(
        main, ["report", str(logs), "--every-eval-ever", str(folder)]
    )
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    _run(nq(data="sample", judge="offline"), folder)
    _run(bluff(data="sample", judge="offline"), folder)
    return folder


@pytest.fixture(scope="module")
def exported(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    _export(logs, folder)
    return folder


def _record(folder: Path, task: str) -> dict[str, Any]:
    (file,) = (folder / "data" / f"refusalbench_{task}" / "mockllm" / "fake").iterdir()
    record: dict[str, Any] = json.loads(file.read_text())
    return record


def _results(record: dict[str, Any]) -> dict[str, Any]:
    return {
        result["metric_config"]["metric_id"].removeprefix("refusalbench."): result
        for result in record["evaluation_results"]
    }


def test_a_metric_has_its_direction_its_value_and_its_interval(
    logs: Path, exported: Path
) -> None:
    results = _results(_record(exported, "nq"))
    views = [RunView(run) for run in read_logs([str(logs)]).runs]
    (view,) = [view for view in views if view.run.task == "nq"]
    assert {"false_refusal_rate", "refusal_accuracy"} <= {*results}
    for name, result in results.items():
        expected = view.numbers[name]
        uncertainty = result["score_details"]["uncertainty"]
        assert result["score_details"]["score"] == pytest.approx(
            expected.value, abs=1e-6
        )
        assert uncertainty["num_samples"] == expected.n
        interval = uncertainty["confidence_interval"]
        assert (interval["lower"], interval["upper"]) == pytest.approx(
            (expected.low, expected.high), abs=1e-6
        )
    config = results["false_refusal_rate"]["metric_config"]
    assert config["lower_is_better"]
    assert (config["min_score"], config["max_score"]) == (0, 1)
    assert not results["refusal_accuracy"]["metric_config"]["lower_is_better"]


def test_a_metric_without_a_better_side_says_so(exported: Path) -> None:
    config = _results(_record(exported, "bluff"))["refusal_rate"]["metric_config"]
    assert config["additional_details"]["polarity"] == "not_applicable"


def test_it_says_who_read_the_replies_and_how_many_are_undecided(
    exported: Path,
) -> None:
    result = _results(_record(exported, "nq"))["false_refusal_rate"]
    config = result["metric_config"]
    assert config["additional_details"]["reader"] == "rules and ngrams"
    assert "llm_scoring" not in config
    details = result["score_details"]["details"]
    assert 0 < float(details["coverage"]) < 1
    assert "undecided" in details["not_known"]
    low, high = map(float, details["bounds"].split(" to "))
    assert low <= result["score_details"]["score"] <= high


def test_it_holds_no_rows_and_no_replies(exported: Path) -> None:
    text = json.dumps(_record(exported, "nq"))
    assert "Hmm." not in text
    assert "REFUSE_INFO_MISSING" not in text


def test_the_same_logs_give_the_same_files(
    logs: Path, exported: Path, tmp_path: Path
) -> None:
    _export(logs, tmp_path / "again")
    files = {
        file.relative_to(exported): file.read_text()
        for file in exported.rglob("*.json")
    }
    assert files == {
        file.relative_to(tmp_path / "again"): file.read_text()
        for file in (tmp_path / "again").rglob("*.json")
    }


def test_runs_of_a_part_are_left_out_and_named(logs: Path, tmp_path: Path) -> None:
    _run(nq(data="sample", judge="offline"), tmp_path / "part", limit=3)
    result = CliRunner().invoke(
        main,
        [
            "report",
            str(tmp_path / "part"),
            "--every-eval-ever",
            str(tmp_path / "out"),
        ],
    )
    assert result.exit_code
    assert "no finished run of a model over all of its rows" in result.output
    assert not (tmp_path / "out").exists()


def test_a_run_without_a_number_is_left_out_and_named(
    logs: Path, tmp_path: Path
) -> None:
    task = nq(data="sample", judge="offline")
    model = fake(lambda prompt: "Hmm.")
    eval(task, model=model, log_dir=str(tmp_path / "undecided"), display="none")
    alone = ["report", str(tmp_path / "undecided"), "--every-eval-ever", "out"]
    with CliRunner().isolated_filesystem(tmp_path):
        result = CliRunner().invoke(main, alone)
        assert result.exit_code
        assert "none of its main metrics is defined" in result.output
        result = CliRunner().invoke(main, [*alone, str(logs)])
    assert result.exit_code == 0
    assert "left out" in result.output


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("hf/meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B"),
        ("ollama/llama3:8b", "ollama/llama3:8b"),
        ("our assistant", "application/our-assistant"),
        ("../../etc/passwd", "etc/passwd"),
        ("..", "application/application"),
    ],
)
def test_a_model_is_filed_under_developer_and_name(name: str, expected: str) -> None:
    assert model_id(name) == expected


@pytest.mark.skipif(
    "EVERY_EVAL_EVER" not in os.environ,
    reason="EVERY_EVAL_EVER does not name the program of the package every-eval-ever",
)
def test_the_databases_own_validator_passes_the_files(exported: Path) -> None:
    validate = [os.environ["EVERY_EVAL_EVER"], "validate", "data/*/*/*/*.json"]
    done = subprocess.run(
        validate, cwd=exported, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
