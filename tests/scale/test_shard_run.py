"""A shard is gone on with from its logs, whoever worked on it before; together the shards are the unbroken run."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval, eval_retry
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import Model

from refusalbench_tasks.cli import main
from refusalbench_tasks.scale import shard_run
from refusalbench_tasks.scale.shard_run import Outcome, Setting, finish
from refusalbench_tasks.scale.work_list import WorkList
from refusalbench_tasks.tasks.nq import nq
from tests.models import fake

ARGUMENTS: dict[str, Any] = {"data": "sample", "judge": "offline", "per_stratum": 2, "classes": "MissingInfo"}
COMMAND = (
    "cluster", "nq", "--model", "mockllm/fake", "--shards", "3", "--log-dir", "runs", "--local-processes", "2",
    *(word for name, value in ARGUMENTS.items() for word in ("-T", f"{name}={value}")),
)  # fmt: skip


class Bench:
    """Runs what `inspect` would run, in this process; the model counts who asks, and fails at the calls in `lost`."""

    def __init__(self, lost: Sequence[int] = ()) -> None:
        self.calls: Counter[str] = Counter()
        self.lost = set(lost)
        self.commands: list[tuple[str, ...]] = []
        self.asked = 0

    def model(self) -> Model:
        def answer(text: str) -> str:
            self.asked += 1
            if self.asked in self.lost:
                raise RuntimeError("the machine is lost")
            self.calls[text] += 1
            return "REFUSE_INFO_MISSING_IN_CONTEXT" if len(text) % 2 else "perhaps 7"

        return fake(answer)

    def run(self, arguments: Sequence[str]) -> tuple[int, str]:
        self.commands.append(tuple(arguments))
        place = arguments[arguments.index("--log-dir") + 1]
        settings: dict[str, Any] = {"log_dir": place, "display": "none", "log_buffer": 1}
        if arguments[0] == "eval-retry":
            retry(arguments[1], self.model(), settings)
        else:
            shard = next(word for word in arguments if word.startswith("shard=")).removeprefix("shard=")
            eval(nq(**ARGUMENTS, shard=shard), model=self.model(), max_samples=1, **settings)
        return 0, "the last line"

    def shard(self, work: WorkList, setting: Setting, shard: int, stopped: Any = None) -> Outcome:
        return finish(work, setting.connections, shard, self.run)


def retry(name: str, model: Model, settings: dict[str, Any]) -> None:
    """Go on from a log as `inspect eval-retry` does, with the fake model of this process in place of the log's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai._eval.eval.get_model", lambda *_, **__: model)
        eval_retry(name, max_samples=1, **settings)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(bench: Bench, monkeypatch: pytest.MonkeyPatch, *more: str) -> Result:
    # one thread, as Inspect runs one eval in a process
    monkeypatch.setattr(shard_run, "run_shard", bench.shard)
    monkeypatch.setattr("refusalbench_tasks.scale.local_run.run_shard", bench.shard)
    return CliRunner().invoke(main, [*COMMAND, "--parallel", "1", *more])


def facts(log: EvalLog) -> tuple[dict[str, str], dict[str, str]]:
    assert log.results
    values = {f"{s.name}/{k}": repr(m.value) for s in log.results.scores for k, m in s.metrics.items()}
    return {str(one.id): one.output.completion for one in log.samples or []}, values


def test_what_a_lost_machine_had_finished_is_not_asked_for_again(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = eval(nq(**ARGUMENTS), model=Bench().model(), log_dir="whole", display="none")
    rows = len(whole.samples or [])
    bench = Bench(lost=[2])
    first = command(bench, monkeypatch)
    assert first.exit_code == 1
    assert "1 shards are not finished" in first.output
    assert "run the same command again" in first.output
    assert "the machine is lost" in first.output
    assert not Path("runs/nq.eval").exists()
    again = command(bench, monkeypatch)
    assert again.exit_code == 0, again.output
    assert f"3 of 3 shards, {rows} samples" in again.output
    assert "2 finished and 1 begun before" in again.output
    assert [words[0] for words in bench.commands] == ["eval", "eval", "eval", "eval-retry"]
    assert set(bench.calls.values()) == {1}
    assert len(bench.calls) == rows
    assert facts(read_eval_log("runs/nq.eval")) == facts(whole)
    third = command(bench, monkeypatch)
    assert third.exit_code == 0
    assert "done before" in third.output
    assert len(bench.commands) == 4


def test_a_shard_without_a_finished_sample_is_begun_anew(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(lost=[2, 3, 5])  # after a sample of shard 1, before any of shard 2, after a sample of shard 3
    assert command(bench, monkeypatch).exit_code == 1
    assert command(bench, monkeypatch).exit_code == 0
    assert [words[0] for words in bench.commands[3:]] == ["eval-retry", "eval", "eval-retry"]
    assert set(bench.calls.values()) == {1}


def test_failures_of_every_shard_stop_early_and_are_told_with_their_reason(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(lost=range(1, 100))
    result = command(bench, monkeypatch, "--no-merge")
    assert result.exit_code == 1
    assert "shard 1: not finished" in result.output
    assert "3 shards are not finished: 1, 2, 3" in result.output


def test_one_shard_alone_is_worked_on_for_an_array_of_jobs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    for shard in (1, 2, 3, 2):
        result = command(bench, monkeypatch, "--only", str(shard), "--max-connections", "9")
        assert result.exit_code == 0, result.output
    assert len(bench.commands) == 3
    assert all(words[words.index("--max-connections") + 1] == "9" for words in bench.commands)
    assert len(list_eval_logs("runs")) == 3
    assert "expected a shard from 1 to 3" in command(bench, monkeypatch, "--only", "4").output
    done = command(bench, monkeypatch)
    assert done.exit_code == 0
    assert len(bench.commands) == 3
    assert read_eval_log("runs/nq.eval", header_only=True).status == "success"


def test_a_damaged_log_of_a_lost_machine_is_passed_over(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    place = here / "runs" / "nq.shards" / "2"
    place.mkdir(parents=True)
    (place / "2026-01-01T00-00-00-00-00_nq_x.eval").write_bytes(b"PK\x03\x04 cut off")
    assert command(bench, monkeypatch).exit_code == 0
    assert set(bench.calls.values()) == {1}


def test_keys_that_are_not_there_are_named_before_anything_begins(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = command(Bench(), monkeypatch, "--env", "NO_SUCH_KEY")
    assert result.exit_code == 1
    assert "--env NO_SUCH_KEY: there is no such variable" in result.output
    assert not Path("runs").exists()
