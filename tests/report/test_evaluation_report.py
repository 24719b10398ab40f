"""What registers of evaluations are given is what `show` says, over whole runs of
models alone.
"""

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from huggingface_hub import parse_eval_result_entries
from inspect_ai import eval
from inspect_ai.model import Model

from refusalbench_tasks import nq
from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets import benchmarks as loading
from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.rows import Row, bundled_rows
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import read_logs
from tests.models import fake

COMMIT = "0123456789" * 4


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")

    def read(repo: str, split: str, revision: str | None) -> tuple[list[Row], str]:
        return bundled_rows(NQ.sample), COMMIT

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "read_hub", read)
        _run(folder / "hub", fake(lambda _: "REFUSE_INFO_MISSING"), data="hub")
    return folder


def _run(
    folder: Path, model: Model, data: str = "sample", limit: int | None = None
) -> None:
    eval(
        nq(data=data, judge="offline"),
        model=model,
        limit=limit,
        log_dir=str(folder),
        display="none",
    )


def _report(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["report", *map(str, words)])
    return result.exit_code, result.output


def test_the_block_has_the_main_metrics_with_ci_and_n(
    logs: Path, tmp_path: Path
) -> None:
    status, printed = _report(logs, "--evaluation-report", tmp_path / "out")
    assert status == 0, printed
    block = yaml.safe_load((tmp_path / "out" / "evaluation_report.yaml").read_text())[
        "evaluation_report"
    ]
    (run,) = read_logs([str(logs)]).runs
    assert block["version"] == run.header.eval.task_version
    assert (
        block["command"]
        == "inspect eval refusalbench_tasks/nq -T data=hub -T judge=offline --model"
        " MODEL"
    )
    (result,) = block["results"]
    assert result["model"] == "mockllm/fake"
    written = {one["key"]: one for one in result["metrics"]}
    assert next(iter(written)) == "calibrated_refusal_score"
    for name in ("false_refusal_rate", "refusal_accuracy"):
        one = RunView(run).numbers[name]
        expected = {
            "key": name,
            "value": one.value,
            "ci_low": one.low,
            "ci_high": one.high,
            "n": one.n,
        }
        assert written[name] == pytest.approx(expected, abs=1e-6)


def test_the_register_takes_the_block(logs: Path, tmp_path: Path) -> None:
    metadata = pytest.importorskip("inspect_evals.metadata")
    _report(logs, "--evaluation-report", tmp_path / "out")
    block = yaml.safe_load((tmp_path / "out" / "evaluation_report.yaml").read_text())[
        "evaluation_report"
    ]
    assert metadata.EvaluationReport.model_validate(block).results


def test_hugging_face_reads_the_headline_with_the_rows_it_was_measured_on(
    logs: Path, tmp_path: Path
) -> None:
    _report(logs, "--evaluation-report", tmp_path / "out")
    text = (
        tmp_path / "out" / "mockllm--fake" / ".eval_results" / "nq.yaml"
    ).read_text()
    (entry,) = parse_eval_result_entries(yaml.safe_load(text))
    assert (entry.dataset_id, entry.dataset_revision, entry.task_id) == (
        NQ.repo,
        COMMIT,
        "nq",
    )
    (run,) = read_logs([str(logs)]).runs
    assert entry.value == pytest.approx(
        RunView(run).numbers["calibrated_refusal_score"].value, abs=1e-6
    )


def test_baselines_and_parts_are_left_out_and_named(logs: Path, tmp_path: Path) -> None:
    _run(tmp_path / "part", fake(lambda _: "REFUSE_OTHER"), limit=3)
    status, printed = _report(
        logs, tmp_path / "part", "--evaluation-report", tmp_path / "out"
    )
    assert status == 0
    assert "left out" in printed


def test_what_cannot_be_one_entry_ends_in_one_line(logs: Path, tmp_path: Path) -> None:
    _run(tmp_path / "other", fake(lambda _: "REFUSE_OTHER"))
    status, printed = _report(
        logs, tmp_path / "other", "--evaluation-report", tmp_path / "out"
    )
    assert status
    assert "the runs differ in command" in printed
    assert not (tmp_path / "out").exists()
    status, printed = _report(logs)
    assert status
    assert "give a folder" in printed
