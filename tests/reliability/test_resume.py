"""A run that is killed half-way and continued gives exactly the scores of an unbroken one."""

import time
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from tests.commands import run, start
from tests.provider import Server
from tests.provider.plausible import plausible

EVAL = (
    "inspect eval refusalbench_tasks/nq --model openai/gpt-4o --model-role grader=openai/gpt-4o-mini "
    "-T data=sample -T per_stratum=1 --display none --log-buffer 1 --max-connections 4 --log-dir "
)


def environment(server: Server) -> dict[str, str]:
    return {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.openai_url, "INSPECT_LOG_LEVEL": "error"}


def newest(folder: Path) -> EvalLog:
    return read_eval_log(list_eval_logs(str(folder))[0].name)


def scores(log: EvalLog) -> dict[str, Any]:
    assert log.status == "success"
    return {
        str(s.id): (s.scores["refusal_correct"].value, repr(s.scores["refusal_scores"].value))
        for s in log.samples or []
        if s.scores
    }


def values(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {f"{s.name}/{k}": m.value for s in log.results.scores for k, m in s.metrics.items()}


def test_a_killed_run_continues_to_the_scores_of_an_unbroken_one(tmp_path: Path) -> None:
    with Server(plausible(), latency=0.05) as server:
        run(EVAL + "whole", tmp_path, **environment(server))
        calls = len(server.calls)
        broken = start(EVAL + "broken", tmp_path, **environment(server))
        deadline = time.monotonic() + 300
        while len(server.calls) < calls + calls // 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        broken.kill()
        before = newest(tmp_path / "broken")
        assert before.status != "success"
        done = len(server.calls)
        again = ["inspect", "eval-retry", before.location, "--log-dir", "broken", "--display", "none"]
        run(again, tmp_path, **environment(server))
        assert len(server.calls) - done < calls
    unbroken, continued = newest(tmp_path / "whole"), newest(tmp_path / "broken")
    assert len(scores(continued)) == 18
    assert scores(continued) == scores(unbroken)
    assert repr(sorted(values(continued).items())) == repr(sorted(values(unbroken).items()))
