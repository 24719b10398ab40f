"""The work list as others run it: each file is looked at by its own tool; a stand-in for Slurm runs its script."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from refusalbench_tasks.cli import main

RUN = (
    "cluster", "nq", "--model", "openai/m", "--model-role", "grader=openai/g", "--shards", "5",
    "--log-dir", "s3://bucket/the runs", "--name", "Night.1", "-T", "data=sample",
    "-T", "classes=MissingInfo,Ambiguity", "--max-connections", "7", "--parallel", "3", "--cpus", "1.5",
)  # fmt: skip
OPTIONS = ("--", "--temperature", "0", "--system-message", 'it\'s $HOME; be "brief"')


def printed(form: str, *more: str, options: tuple[str, ...] = OPTIONS) -> str:
    result = CliRunner().invoke(main, [*RUN, "--print", form, *more, *options])
    assert result.exit_code == 0, result.output
    return result.output


STAND_IN = """#!/bin/bash
# stands in for sbatch: runs the job that it reads, once for each index of its array
job=$(mktemp) && cat > "$job" && echo "$@" >> sbatch.log
last=$(sed -n 's/^#SBATCH --array=1-\\([0-9]*\\)%.*/\\1/p' "$job")
for index in $(seq 1 "${last:-1}"); do SLURM_ARRAY_TASK_ID=$index bash "$job" >&2 || exit 1; done
echo "77;cluster"
"""
COUNTS = """#!/bin/bash
printf '%s\\x1f' "$@" >> calls.log; echo >> calls.log
"""


def stand_ins(folder: Path, **commands: str) -> dict[str, str]:
    for name, text in commands.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def test_bash_takes_slurm_s_script_and_it_submits_every_shard_and_then_the_merge(tmp_path: Path) -> None:
    script = printed("slurm", "--gpus", "2")
    (tmp_path / "run.sh").write_text(script)
    assert subprocess.run(["bash", "-n", "run.sh"], cwd=tmp_path, check=False).returncode == 0
    environment = stand_ins(tmp_path, sbatch=STAND_IN, refusalbench=COUNTS)
    subprocess.run(["bash", "run.sh"], cwd=tmp_path, env=environment, check=True)
    calls = [line.rstrip("\x1f").split("\x1f") for line in (tmp_path / "calls.log").read_text().splitlines()]
    assert [call[call.index("--only") + 1] for call in calls[:5]] == ["1", "2", "3", "4", "5"]
    for call in calls:
        assert call[:2] == ["cluster", "nq"]
        assert call[call.index("--log-dir") + 1] == "s3://bucket/the runs"
        assert call[call.index("--max-connections") + 1] == "7"
        assert tuple(call[call.index("--") :]) == OPTIONS
    assert len(calls) == 6
    assert calls[5][calls[5].index("--local-processes") + 1] == "1"
    assert (tmp_path / "sbatch.log").read_text().splitlines() == ["--parsable", "--dependency=afterok:77"]
    for line in ("--array=1-5%3", "--cpus-per-task=2", "--gres=gpu:2", "--job-name=Night.1"):
        assert f"#SBATCH {line}\n" in script


def jobs(*more: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(printed("kubernetes", "--image", "registry/us:1", *more)))


def test_the_jobs_are_valid_by_the_schemas_of_kubernetes() -> None:
    validator = pytest.importorskip("kubernetes_validate")
    for job in jobs("--gpus", "1", "--env", "OPENAI_API_KEY"):
        validator.validate(job, validator.latest_version(), strict=True)
        job["spec"]["completionsMode"] = "Indexed"
        with pytest.raises(validator.ValidationError):
            validator.validate(job, validator.latest_version(), strict=True)


def test_an_indexed_job_has_a_pod_for_each_shard_and_the_merge_waits(tmp_path: Path) -> None:
    shards, merge = jobs("--gpus", "1", "--env", "OPENAI_API_KEY", "--retries", "2")
    spec = shards["spec"]
    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", 5, 3)
    assert spec["backoffLimitPerIndex"] == 2
    assert merge["spec"]["suspend"] is True
    assert [job["metadata"]["name"] for job in (shards, merge)] == ["night-1", "night-1-merge"]
    container = spec["template"]["spec"]["containers"][0]
    assert container["resources"] == {"requests": {"cpu": "1.5"}, "limits": {"nvidia.com/gpu": "1"}}
    assert container["env"][0]["valueFrom"] == {"secretKeyRef": {"name": "refusalbench", "key": "OPENAI_API_KEY"}}
    environment = stand_ins(tmp_path, refusalbench=COUNTS) | {"JOB_COMPLETION_INDEX": "4"}
    subprocess.run(container["command"], cwd=tmp_path, env=environment, check=True)
    call = (tmp_path / "calls.log").read_text().rstrip("\x1f\n").split("\x1f")
    assert call[call.index("--only") + 1] == "5"  # indices count from 0, shards from 1
    assert tuple(call[call.index("--") :]) == OPTIONS


def test_an_image_is_needed_for_kubernetes() -> None:
    result = CliRunner().invoke(main, [*RUN, "--print", "kubernetes"])
    assert result.exit_code == 1
    assert "needs --image" in result.output


FLOW = ("--", "--temperature", "0", "--epochs", "2", "--no-fail-on-error", "--max-samples", "9")


def test_the_specification_has_a_task_for_each_shard() -> None:
    text = printed("flow", options=FLOW)
    assert "refusalbench merge 's3://bucket/the runs/Night.1.shards' -o 's3://bucket/the runs/Night.1.eval'\n" in text
    assert yaml.safe_load(text) == {
        "log_dir": "s3://bucket/the runs/Night.1.shards",
        "options": {"log_buffer": 1, "max_tasks": 3, "fail_on_error": False, "max_samples": 9},
        "defaults": {
            "task": {
                "epochs": 2,
                "model": "openai/m",
                "model_roles": {"grader": "openai/g"},
                "config": {"temperature": 0, "max_connections": 7},
            }
        },
        "tasks": [
            {
                "name": "refusalbench_tasks/nq",
                "args": {"data": "sample", "classes": "MissingInfo,Ambiguity", "shard": f"{shard}/5"},
            }
            for shard in range(1, 6)
        ],
    }


def test_an_option_that_a_specification_has_no_place_for_is_named() -> None:
    result = CliRunner().invoke(main, [*RUN, "--print", "flow", "--", "--no-log-samples"])
    assert result.exit_code == 1
    assert "--no-log-samples: a specification of inspect-flow has no place for it" in result.output


@pytest.mark.slow
def test_flow_check_finds_every_shard(tmp_path: Path) -> None:
    flow = pytest.importorskip("inspect_flow")
    whole = flow.FlowSpec.model_validate(yaml.safe_load(printed("flow", options=FLOW)))
    assert whole.defaults.task.config.max_connections == 7
    result = CliRunner().invoke(main, [
        "cluster", "nq", "--model", "mockllm/model", "--shards", "3", "--log-dir", str(tmp_path), "-T", "data=sample",
        "--print", "flow",
    ])  # fmt: skip
    (tmp_path / "flow.yaml").write_text(result.output)
    command = [str(Path(sys.executable).parent / "flow"), "check", "flow.yaml", "--display", "plain"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(f"shard={n}/3" in done.stdout for n in (1, 2, 3))
