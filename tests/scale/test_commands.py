"""A shard is gone on with from its logs, whoever worked on it before; together the
shards are the unbroken run.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval, eval_retry
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model

from refusalbench_tasks.cli import main
from refusalbench_tasks.scale import ray_run
from refusalbench_tasks.tasks.nq import nq
from tests.models import fake

ARGUMENTS: dict[str, Any] = {
    "data": "sample",
    "judge": "offline",
    "per_stratum": 2,
    "classes": "MissingInfo",
}
COMMAND = (
    "cluster",
    "nq",
    "--model",
    "mockllm/fake",
    "--shards",
    "3",
    "--log-dir",
    "runs",
    *(word for name, value in ARGUMENTS.items() for word in ("-T", f"{name}={value}")),
)


class Bench:
    """Runs what `inspect` would run, in this process; the model counts who asks, and
    fails at the calls in `lost`.
    """

    def __init__(self, lost: Sequence[int] = ()) -> None:
        self.calls: Counter[str] = Counter()
        self.lost = set(lost)
        self.commands: list[str] = []
        self.asked = 0

    def model(self) -> Model:
        def answer(text: str) -> str:
            self.asked += 1
            if self.asked in self.lost:
                raise RuntimeError("the machine is lost")
            self.calls[text] += 1
            return "REFUSE_INFO_MISSING_IN_CONTEXT" if len(text) % 2 else "perhaps 7"

        return fake(answer)

    def run(self, arguments: Sequence[str], _: Mapping[str, str]) -> str:
        self.commands.append(arguments[0])
        settings: dict[str, Any] = {
            "log_dir": arguments[-1],
            "display": "none",
            "log_buffer": 1,
            "max_samples": 1,
        }
        noted = [word for word in arguments if word.startswith("shards_of=")]
        if arguments[0] == "eval-retry":
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(
                    "inspect_ai._eval.eval.get_model", lambda *_, **__: self.model()
                )
                eval_retry(arguments[1], **settings)
        else:
            shard = next(
                word for word in arguments if word.startswith("shard=")
            ).removeprefix("shard=")
            metadata = dict(word.split("=") for word in noted)
            eval(
                nq(**ARGUMENTS, shard=shard),
                model=self.model(),
                metadata=metadata,
                **settings,
            )
        return "the last line"


class Ray:
    """A cluster of this process, which works on one shard after the other when it is
    asked what came of it.
    """

    exceptions = type("E", (), {"RayError": RuntimeError})

    def remote(self, **_: Any) -> Callable[..., Any]:
        return lambda function: type(
            "Task",
            (),
            {"remote": staticmethod(lambda *given: partial(function, *given))},
        )

    def wait(self, running: list[Any], **_: Any) -> tuple[list[Any], list[Any]]:
        return running[:1], running[1:]

    def get(self, task: Callable[[], str]) -> str:
        return task()


Command = Callable[..., Result]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a way to run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ray_run, "connected", lambda address: Ray())

    def ran(bench: Bench, *more: str) -> Result:
        monkeypatch.setattr(ray_run, "_inspect", bench.run)
        return CliRunner().invoke(main, [*COMMAND, *more])

    return ran


def facts(log: EvalLog) -> tuple[dict[str, str], dict[str, str]]:
    assert log.results
    values = {
        f"{s.name}/{k}": repr(m.value)
        for s in log.results.scores
        for k, m in s.metrics.items()
    }
    return {str(one.id): one.output.completion for one in log.samples or []}, values


def test_what_a_lost_machine_had_finished_is_not_asked_for_again(
    command: Command,
) -> None:
    (whole,) = eval(
        nq(**ARGUMENTS), model=Bench().model(), log_dir="whole", display="none"
    )
    rows = len(whole.samples or [])
    bench = Bench(lost=[2])
    first = command(bench)
    assert first.exit_code == 1
    assert (
        "1 of 3 shards are not finished: 1; run the same command again" in first.output
    )
    assert "the machine is lost" in first.output
    assert not Path("runs/nq.eval").exists()
    again = command(bench)
    assert again.exit_code == 0, again.output
    assert f"{rows} samples of 3 shards" in again.output
    assert bench.commands == ["eval", "eval", "eval", "eval-retry"]
    assert set(bench.calls.values()) == {1}
    assert len(bench.calls) == rows
    assert facts(read_eval_log("runs/nq.eval")) == facts(whole)
    assert "done before" in command(bench).output
    assert len(bench.commands) == 4
    other = command(bench, "-T", "seed=2")
    assert other.exit_code == 1
    assert (
        "a shard of another run; give what was given then, or another --name"
        in other.output
    )


def test_a_shard_without_a_finished_sample_is_begun_anew(command: Command) -> None:
    # after a sample of shard 1, before any of shard 2, after a sample of shard 3
    bench = Bench(lost=[2, 3, 5])
    assert command(bench).exit_code == 1
    assert command(bench).exit_code == 0
    assert bench.commands[3:] == ["eval-retry", "eval", "eval-retry"]
    assert set(bench.calls.values()) == {1}


def test_a_damaged_log_of_a_lost_machine_is_passed_over(command: Command) -> None:
    place = Path("runs/nq.shards/2")
    place.mkdir(parents=True)
    (place / "2026-01-01T00-00-00-00-00_nq_x.eval").write_bytes(b"PK\x03\x04 cut off")
    bench = Bench()
    assert command(bench).exit_code == 0
    assert set(bench.calls.values()) == {1}


def test_keys_that_are_not_there_are_named_before_anything_begins(
    command: Command,
) -> None:
    result = command(Bench(), "--env", "NO_SUCH_KEY")
    assert result.exit_code == 1
    assert "--env NO_SUCH_KEY: there is no such variable" in result.output
    assert not Path("runs").exists()


def test_a_task_that_ray_loses_is_named_with_its_reason(command: Command) -> None:
    class Lost(Bench):
        def run(self, arguments: Sequence[str], _: Mapping[str, str]) -> str:
            raise RuntimeError("node lost\nit is gone")

    result = command(Lost())
    assert "shard 2 of 3: it is gone" in result.output
    assert "3 of 3 shards are not finished: 1, 2, 3" in result.output
