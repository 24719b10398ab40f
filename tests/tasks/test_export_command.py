"""`refusalbench export`: which task's logs it takes, and which options go with them."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSpec,
    write_eval_log,
)

from refusalbench_tasks.cli import main


def exported(*args: str) -> str:
    result = CliRunner().invoke(main, ["export", "logs", "-o", "set", *args])
    assert result.exit_code == 1
    assert not Path("set").exists()
    return result.output


def write_log(task: str) -> None:
    spec = EvalSpec(
        created="2026-11-01T00:00:00+00:00",
        task=f"refusalbench_tasks/{task}",
        dataset=EvalDataset(),
        model="mockllm/writer",
        config=EvalConfig(),
    )
    write_eval_log(EvalLog(eval=spec, status="success"), f"logs/{task}.eval")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_runs_of_two_tasks_go_to_two_folders() -> None:
    write_log("question")
    write_log("perturb")
    assert "these logs mix runs of `perturb` and of `question`" in exported()


@pytest.mark.parametrize("task", ["question", "collect"])
@pytest.mark.parametrize(
    "options",
    [("--language", "de"), ("--per-cell", "3"), ("--all",), ("--sheet", "people.csv")],
)
def test_an_option_for_logs_of_perturb_is_named_with_other_logs(
    task: str, options: tuple[str, ...]
) -> None:
    write_log(task)
    refused = f"export: {options[0]} does nothing for logs of `{task}`; leave it out"
    assert refused in exported(*options)
