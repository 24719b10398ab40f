"""The taskset in the real library `verifiers`, with rollouts against a local server;
skipped without the library.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.reading import ReplyReading
from refusalbench_tasks.worlds import reply as worlds_reply
from refusalbench_tasks.worlds.quad import VERSION
from refusalbench_tasks.worlds.quad_rows import row
from tests.provider.call import Call
from tests.provider.server import Server

vf: Any = pytest.importorskip("verifiers.v1")
from refusalbench_tasks.worlds.environment import (  # noqa: E402
    WorldsEnv,
    WorldsEnvConfig,
    WorldsTaskset,
    WorldsTasksetConfig,
)

TASKSET = "refusalbench-worlds"
HARNESS = "one_request"


class OneRequest(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """Sends one chat request from this process: the library's own chat harness needs uv
    and the network.
    """

    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: Any,
        data: Any,
    ) -> Any:
        import httpx
        from verifiers.v1.runtimes import ProgramResult

        body = {
            "model": ctx.model,
            "messages": [{"role": "user", "content": data.prompt}],
        }
        async with httpx.AsyncClient(trust_env=False) as client:
            headers = {"Authorization": f"Bearer {secret}"}
            told = await client.post(
                f"{endpoint}/chat/completions", json=body, headers=headers, timeout=30
            )
        return ProgramResult(int(told.status_code != 200), told.text, told.text)


@pytest.fixture
def server(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[Callable[[Call], str]], Server]]:
    """Yield a way to start the local server, with the harness known to the library."""
    module = ModuleType(HARNESS)
    vars(module).update(OneRequest=OneRequest, __all__=["OneRequest"])
    monkeypatch.setitem(sys.modules, HARNESS, module)
    monkeypatch.setenv("LOCAL_KEY", "none")
    started: list[Server] = []

    def start(script: Callable[[Call], str]) -> Server:
        started.append(Server(script).__enter__())
        return started[-1]

    yield start
    for one in started:
        one.__exit__(None, None, None)


def config(**taskset: Any) -> Any:
    return WorldsEnvConfig(
        taskset=WorldsTasksetConfig(id=TASKSET, **taskset),
        agent={"harness": {"id": HARNESS}, "runtime": {"type": "subprocess"}},
    )


def episodes(server: Server, settings: Any, tasks: int) -> list[Any]:
    """Return the finished episodes of the first tasks, one after the other."""
    from verifiers.v1.clients import EvalClientConfig, ModelContext

    client = EvalClientConfig(base_url=server.openai_url, api_key_var="LOCAL_KEY")
    context = ModelContext(
        model="scripted", client=client, sampling=vf.SamplingConfig()
    )
    env = WorldsEnv(settings)

    async def run() -> list[Any]:
        async with env.serving():
            return [
                await env.run_episode(task, context)
                for task in islice(iter(env.taskset), tasks)
            ]

    return asyncio.run(run())


def script(told: Callable[[int], str]) -> Callable[[Call], str]:
    """Return a script that replies by the place of the row that is asked."""
    asked = [
        (item["perturbed_query"], item["perturbed_context"])
        for item in (row(0, place) for place in range(4))
    ]

    def reply(call: Call) -> str:
        (place,) = [
            place
            for place, parts in enumerate(asked)
            if all(one in call.text for one in parts)
        ]
        return told(place)

    return reply


def gold(place: int) -> str:
    """Return the right reply to a row of seed 0."""
    item = row(0, place)
    answerable = item["expected_rag_behavior"] == "ANSWER_CORRECTLY"
    return str(
        item["original_answers"][0] if answerable else item["expected_rag_behavior"]
    )


def test_who_is_right_earns_one_and_has_both_rows_of_a_pair(server: Any) -> None:
    (episode,) = episodes(server(script(gold)), config(quads=True), 1)
    assert [trace.reward for trace in episode.traces] == [1, 1, 1, 1]
    assert {trace.metrics["pair_consistency"] for trace in episode.traces} == {1}
    assert [trace.task.data.id for trace in episode.traces] == [
        f"{VERSION}.0.0.{place}" for place in range(4)
    ]
    assert not episode.errors


def test_what_cannot_be_told_earns_what_the_caller_states_and_is_counted(
    server: Any,
) -> None:
    settings = config(task={"undecided": -0.1})
    (episode,) = episodes(
        server(lambda call: "Please ask somebody at the office about that matter."),
        settings,
        1,
    )
    (trace,) = episode.traces
    assert (trace.reward, trace.metrics["undecided"]) == (-0.1, 1)


def test_who_may_ask_back_is_told_so_and_questions_are_counted(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def which(call: Call) -> str:
        told.append(call.text)
        return "Which of them do you mean?"

    asks = ReplyReading("clarification")
    monkeypatch.setattr(worlds_reply, "read_reply", lambda *_, **__: asks)
    (episode,) = episodes(server(which), config(quads=True, ask=True), 1)
    assert all("you may ask back" in text for text in told)
    metrics = [trace.metrics for trace in episode.traces]
    assert [one["clarification"] for one in metrics] == [1] * 4
    unneeded = [one["unneeded_clarification"] for one in metrics]
    assert unneeded == [one["answerable"] for one in metrics]
    assert [one["false_refusal"] for one in metrics] == unneeded


def test_training_and_validation_have_no_row_in_common() -> None:
    ids = [
        {
            one.data.id
            for one in islice(
                WorldsTaskset(WorldsTasksetConfig(split=split, seed=3)).load(), 40
            )
        }
        for split in ("train", "validation")
    ]
    assert len(ids[0]) == len(ids[1]) == 40
    assert not ids[0] & ids[1]
    with pytest.raises(ValueError, match="less than 1000"):
        WorldsTasksetConfig(seed=9_003)


def test_quads_of_ten_passages_and_unknown_domains_are_errors() -> None:
    for settings, told in (
        (WorldsTasksetConfig(quads=True, layout="grounding"), "quads"),
        (WorldsTasksetConfig(domains="x"), "'x'"),
    ):
        with pytest.raises(DataError, match=told):
            next(iter(WorldsTaskset(settings).load()))
