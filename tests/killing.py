"""A run that dies at chosen places, and is retried until it ends."""

from collections import Counter
from collections.abc import Callable, Sequence
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval, eval_retry
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from tests.provider.call import Call
from tests.provider.reply import Fault, Reply
from tests.provider.server import Server

Place = tuple[Any, str, int]
"""What dies: a function of an owner by name, at the end of its so manieth call in a
run.
"""


def dying(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    """Let a run die at a place."""
    owner, name, count = place
    whole: Callable[..., Any] = getattr(owner, name)
    calls = [0]

    def done(made: Any) -> Any:
        calls[0] += 1
        if calls[0] == count:
            raise RuntimeError("killed")
        return made

    async def dies(*given: Any) -> Any:
        return done(await whole(*given))

    monkeypatch.setattr(
        owner,
        name,
        dies if iscoroutinefunction(whole) else lambda *given: done(whole(*given)),
    )


def killed_and_retried(
    monkeypatch: pytest.MonkeyPatch,
    task: Task,
    script: Callable[[str], Any],
    places: Sequence[Place],
    **options: Any,
) -> tuple[EvalLog, Counter[tuple[str, str]]]:
    """Kill a run at each place in turn, and let it end.

    Return its log, and how often a model was asked what.
    """

    def answer(call: Call) -> Reply | Fault:
        return Reply(
            arguments={"ready": True} if call.text == PREFLIGHT else script(call.text)
        )

    monkeypatch.setenv("OPENAI_API_KEY", "x")
    log: EvalLog | None = None
    with Server(answer) as server:
        writer, reader = (
            get_model(
                f"openai/{one}",
                base_url=server.openai_url,
                api_key="x",
                memoize=False,
                config=GenerateConfig(max_retries=0),
            )
            for one in ("gpt-4o", "gpt-4o-mini")
        )
        roles: Any = {"verifier": [reader]}
        more: dict[str, Any] = {
            "log_dir": str(Path("logs").resolve()),
            "display": "none",
            "max_samples": 1,
        } | options
        for place in (*places, None):
            with monkeypatch.context() as patch:
                if place:
                    dying(patch, place)
                (log,) = (
                    eval_retry(log, **more)
                    if log
                    else eval(task, model=writer, model_roles=roles, **more)
                )
            assert log.status == ("error" if place else "success"), place
        assert log is not None
        return log, Counter(
            (call.model, call.text) for call in server.calls if call.text != PREFLIGHT
        )
