"""A run that is killed half-way and continued gives exactly the scores and the rows of
an unbroken one.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from tests.collect.panel import READS as READS_RECORD
from tests.collect.panel import read as read_record
from tests.collect.panel import set_up
from tests.collect.panel import write as write_record
from tests.collect.site import Site
from tests.commands import run, start
from tests.own.questions.panel import WRITES, read_well, write_well
from tests.provider import Server
from tests.provider.call import Call
from tests.provider.plausible import plausible
from tests.provider.reply import Reply, Script

WAIT = 300
"""Seconds after which a run that asks nothing has failed."""


@dataclass(frozen=True)
class Interrupted:
    """The logs of an unbroken run and of one that was killed and continued, with the
    calls that each of them made.
    """

    whole: EvalLog
    continued: EvalLog
    calls: int
    calls_in_all: int
    """Those of the killed run and of its continuation."""


def interrupted(
    line: str, script: Script, folder: Path, in_flight: int = 4
) -> Interrupted:
    """Run a task to its end; then once more, kill it half-way, and retry it."""
    line = f"{line} --display none --log-buffer 1 --max-samples {in_flight}"
    with Server(script, latency=0.05) as server:
        run(
            f"{line} --log-dir whole",
            folder,
            **_environment(server, folder / "calls_whole"),
        )
        calls = len(server.calls)
        environment = _environment(server, folder / "calls_broken")
        broken = start(f"{line} --log-dir broken", folder, **environment)
        deadline = time.monotonic() + WAIT
        while len(server.calls) < calls + calls // 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        broken.kill()
        before = newest(folder / "broken")
        assert before.status != "success"
        again = [
            "inspect",
            "eval-retry",
            before.location,
            "--log-dir",
            "broken",
            "--display",
            "none",
        ]
        run([*again, "--max-samples", str(in_flight)], folder, **environment)
        calls_in_all = len(server.calls) - calls
    return Interrupted(
        newest(folder / "whole"), newest(folder / "broken"), calls, calls_in_all
    )


def _environment(server: Server, cache: Path) -> dict[str, str]:
    return {
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": server.openai_url,
        "INSPECT_LOG_LEVEL": "error",
        "INSPECT_CACHE_DIR": str(cache),
    }


def newest(folder: Path) -> EvalLog:
    return read_eval_log(list_eval_logs(str(folder))[0].name)


def scores(log: EvalLog) -> dict[str, list[str]]:
    """Return by sample what each scorer says of it."""
    assert log.status == "success"
    return {
        f"{sample.id} {sample.epoch}": [
            f"{name} {score.value!r} {score.answer!r}"
            for name, score in sorted((sample.scores or {}).items())
        ]
        for sample in log.samples or []
    }


def values(log: EvalLog) -> list[str]:
    assert log.results
    return sorted(
        f"{score.name}/{name} {metric.value!r}"
        for score in log.results.scores
        for name, metric in score.metrics.items()
    )


def exported(folder: Path, logs: str) -> dict[str, str]:
    """Return the rows that the logs of a folder are exported to, by file."""
    run(f"refusalbench export {logs} -o set_{logs}", folder)
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in (folder / f"set_{logs}").glob("*.jsonl")
    }


@pytest.mark.parametrize("task", ["nq", pytest.param("garage", marks=pytest.mark.slow)])
def test_a_killed_run_continues_to_the_scores_of_an_unbroken_one(
    task: str, tmp_path: Path
) -> None:
    line = (
        f"inspect eval refusalbench_tasks/{task} --model openai/gpt-4o --model-role"
        " grader=openai/gpt-4o-mini"
    )
    runs = interrupted(f"{line} -T data=sample -T per_stratum=1", plausible(), tmp_path)
    assert runs.calls_in_all < 2 * runs.calls
    assert len(scores(runs.continued)) == 18
    assert scores(runs.continued) == scores(runs.whole)
    assert values(runs.continued) == values(runs.whole)
    assert _table(tmp_path, "broken") == _table(tmp_path, "whole")


def _table(folder: Path, logs: str) -> list[tuple[str, str, str]]:
    """Return the replies of the logs of a folder as `rows` writes them."""
    run(f"refusalbench rows {logs} -o {logs}.jsonl", folder)
    lines = (folder / f"{logs}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return sorted(
        (row["item"], str(row["reply"]), str(row["predicted"])) for row in rows
    )


def _scripted(
    writes: Callable[[str], Any],
    reads: Callable[[str], Any],
    is_read: Callable[[str], bool],
) -> Script:
    def answer(call: Call) -> Reply:
        if call.text == PREFLIGHT:
            return Reply(arguments={"ready": True})
        return Reply(arguments=(reads if is_read(call.text) else writes)(call.text))

    return answer


def _same_rows(runs: Interrupted, folder: Path, in_flight: int) -> None:
    assert scores(runs.continued) == scores(runs.whole)
    assert values(runs.continued) == values(runs.whole)
    rows = exported(folder, "whole")
    assert rows
    assert exported(folder, "broken") == rows
    # what was in flight when it was killed, and the call to each reader at the start
    assert runs.calls_in_all <= runs.calls + in_flight + 1


def test_killed_questions_continue_to_the_same_bases(tmp_path: Path) -> None:
    line = (
        "inspect eval refusalbench_tasks/question --model openai/gpt-4o --model-role"
        " reader=openai/gpt-4o-mini"
    )
    script = _scripted(
        write_well, read_well, lambda prompt: not prompt.startswith(WRITES)
    )
    runs = interrupted(
        f"{line} -T corpus=sample -T questions=2 -T outside=4", script, tmp_path, 2
    )
    _same_rows(runs, tmp_path, 2)


# tests/collect/test_collect.py kills a run within this process, at every stage
@pytest.mark.slow
def test_killed_collecting_continues_to_the_same_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Site() as site:
        # both runs are forks of this process, and so their connections end at the local
        # web too
        monkeypatch.setattr(
            "refusalbench_tasks.collect.web.fetch.CheckedTransport", site.transport
        )
        arguments = set_up(3) | {"search": site.engine(), "archive": "archive"}
        given = " ".join(f"-T {name}={value}" for name, value in arguments.items())
        line = (
            "inspect eval refusalbench_tasks/collect --model openai/gpt-4o --model-role"
            " verifier=openai/gpt-4o-mini"
        )
        script = _scripted(
            write_record, read_record, lambda prompt: prompt.startswith(READS_RECORD)
        )
        runs = interrupted(f"{line} {given}", script, tmp_path, 1)
    _same_rows(runs, tmp_path, 1)
