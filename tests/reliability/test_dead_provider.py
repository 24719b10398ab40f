"""A provider that only fails, through the real client: errors that are counted, and not
one verdict.
"""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, get_model

from refusalbench_tasks import bluff, garage, nq
from tests.provider import Call, Fault, Reply, Server
from tests.provider.plausible import plausible

GRADER = "gpt-4o-mini"
ROWS = 3
DEAD = (Fault.RATE_LIMIT, Fault.SERVER_ERROR, "connection refused")
TASKS = (nq, garage, bluff)


def client(name: str, url: str) -> Model:
    config = GenerateConfig(max_retries=0)
    return get_model(
        f"openai/{name}",
        base_url=url,
        api_key="none",
        config=config,
        memoize=False,
        max_retries=0,
    )


def closed_url() -> str:
    """Return an address on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


def run(
    task: Callable[..., Task], fault: Fault | str, dead: str, logs: Path
) -> EvalLog:
    """Return the log of a run in which every call to the model, or to the grader,
    fails.
    """
    answers = plausible(bare=0.0, prose=0.0)

    def script(call: Call) -> Reply | Fault:
        is_dead = (call.model == GRADER) == (dead == "grader")
        return fault if is_dead and isinstance(fault, Fault) else answers(call)

    with Server(script) as server:
        urls = dict.fromkeys(("model", "grader"), server.openai_url)
        if not isinstance(fault, Fault):
            urls[dead] = closed_url()
        options: dict[str, Any] = {
            "log_dir": str(logs),
            "display": "none",
            "limit": ROWS,
            "fail_on_error": False,
        }
        (log,) = eval(
            task(data="sample"),
            model=client("gpt-4o", urls["model"]),
            model_roles={"grader": client(GRADER, urls["grader"])},
            **options,
        )
    return log


@pytest.mark.parametrize("dead", ["model", "grader"])
@pytest.mark.parametrize("fault", DEAD)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_a_provider_that_only_fails_gives_errors_and_no_verdict(
    task: Callable[..., Task], fault: Fault | str, dead: str, tmp_path: Path
) -> None:
    log = run(task, fault, dead, tmp_path)
    samples = log.samples or []
    assert len(samples) == ROWS
    assert all(sample.error for sample in samples)
    assert not any(sample.scores for sample in samples)
