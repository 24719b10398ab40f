"""A real model, served on this machine, goes through the suite; skipped where its
weights are not.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import GenerateConfig, get_model
from platformdirs import user_cache_path

from benchmarks.real.record import record
from benchmarks.real.runs import Setting, addressed, run
from benchmarks.real.server import served
from benchmarks.real.weights import open_models, weights_of
from refusalbench_tasks import bluff, nq
from refusalbench_tasks.own.applications.solvers import endpoint

pytestmark = pytest.mark.real
MODEL = open_models()[0]
FOLDER = Path(
    os.environ.get("REAL_MODELS") or user_cache_path("refusalbench_tasks") / "models"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("xllamacpp", reason="the group `real` is not installed")
    if not (FOLDER / MODEL.file).is_file():
        pytest.skip(
            f"{MODEL.file} is not in {FOLDER}: `make real` fetches it, REAL_MODELS"
            " names another folder"
        )
    with served(weights_of(MODEL, FOLDER)) as served_at:
        yield served_at


def test_a_set_of_runs_ends_and_is_not_run_twice(address: str, tmp_path: Path) -> None:
    setting = Setting("small", (nq(data="sample", judge="offline"),), limit=4)
    assert run(setting, MODEL, address, tmp_path)
    [info] = list_eval_logs(str(tmp_path))
    log = read_eval_log(info)
    assert log.status == "success"
    assert all(
        sample.output.completion and sample.output.usage for sample in log.samples or []
    )
    assert run(replace(setting), MODEL, address, tmp_path)
    assert [found.name for found in list_eval_logs(str(tmp_path))] == [info.name]


def test_confidence_is_read_from_the_letters_and_recorded(
    address: str, tmp_path: Path
) -> None:
    setting = Setting("small", (bluff(data="sample", judge="offline"),), limit=2)
    assert run(setting, MODEL, address, tmp_path / "logs")
    [path] = record(tmp_path / "logs", tmp_path / "replies")
    assert '"logprobs"' in path.read_text(encoding="utf-8")


def test_a_model_that_cannot_grade_ends_the_run_before_it_starts(
    address: str, tmp_path: Path
) -> None:
    with addressed(address):
        # a model that Inspect remembers would call an earlier server
        short = GenerateConfig(temperature=0.0, max_tokens=40, max_connections=2)
        model = get_model(MODEL.inspect_name, config=short, memoize=False)
        [log] = eval(
            nq(data="sample"),
            model=model,
            model_roles={"grader": model},
            limit=2,
            log_dir=str(tmp_path),
            display="none",
        )
    assert log.status == "error"
    assert log.error
    assert "grader_check=warn" in log.error.message
    assert not any(sample.output.completion for sample in log.samples or [])


def test_the_servers_own_stream_is_read_to_its_end(address: str) -> None:
    request = {
        "messages": [{"role": "user", "content": "{{query}}"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 24,
    }
    application = endpoint(
        url=f"{address}/chat/completions",
        request=request,
        reply="$.choices[*].delta.content",
        stop_reason="$.choices[*].finish_reason",
        usage="$.usage",
        attempts=1,
    )
    [log] = eval(
        nq(data="sample", judge="offline", codes=False),
        solver=application,
        model="none/none",
        limit=2,
        log_dir="logs",
        display="none",
    )
    assert log.status == "success"
    for sample in log.samples or []:
        output = sample.output
        assert output.completion
        assert output.usage
        assert (output.stop_reason == "max_tokens") == (
            output.usage.output_tokens == 24
        )
        assert 0 < (output.metadata or {})["time_to_first_token"] < (output.time or 0)
