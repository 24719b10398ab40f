"""Every task by the batch endpoints of OpenAI and Anthropic: the same scores as without, and failures are errors."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import BatchConfig, GenerateConfig, Model, get_model

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from tests.provider import Call, Fault, Reply, Server
from tests.provider.plausible import plausible
from tests.tasks.generation import few_bases
from tests.tasks.hedging import metrics

AT_ONCE = BatchConfig(size=1_000, send_delay=0.05, tick=0.05)
"""No waiting: the defaults send after 15 seconds, and look for results every 15."""

TASKS: dict[str, tuple[Callable[[], Task], str]] = {
    "nq": (lambda: nq(data="sample"), "grader"),
    "garage": (lambda: garage(data="sample"), "grader"),
    "bluff": (lambda: bluff(data="sample", topics="law", per_topic=2), "grader"),
    "perturb": (
        lambda: perturb(bases=few_bases(1), classes="MissingInfo", intensities="LOW,HIGH", cache=False),
        "verifier",
    ),
}
"""What makes each task, and the role that it asks besides the model."""

MODELS = {
    "openai": ("openai/gpt-4o", "openai/gpt-4o-mini"),
    "anthropic": ("anthropic/claude-a", "anthropic/claude-b"),
}


def client(wire: str, server: Server, batch: BatchConfig | None, which: int = 0) -> Model:
    """Return the first or the second model of a provider; it never tries again."""
    url = server.openai_url if wire == "openai" else server.anthropic_url
    config = GenerateConfig(max_retries=0, max_tokens=500, batch=batch)
    return get_model(MODELS[wire][which], base_url=url, api_key="x", config=config, memoize=False, max_retries=0)


def run(name: str, wire: str, server: Server, batch: BatchConfig | None, limit: int = 4, **options: Any) -> EvalLog:
    """Run a task on few samples, by batches or without."""
    make, role = TASKS[name]
    roles: Any = {role: [client(wire, server, batch, 1)]}
    (log,) = eval(
        make(), model=client(wire, server, batch), model_roles=roles, limit=limit, log_dir="logs", display="none",
        **options,
    )  # fmt: skip
    return log


def values(log: EvalLog) -> dict[str, dict[str, Any]]:
    """Return what each scorer says of each sample; an error or a reason is none."""
    return {str(s.id): {name: score.value for name, score in (s.scores or {}).items()} for s in log.samples or []}


RUNS = [("nq", "anthropic"), ("garage", "openai"), ("bluff", "openai"), ("perturb", "anthropic")]
ROUNDS = {"nq": 2, "garage": 2, "bluff": 3, "perturb": 2}
"""The fewest batches one after the other: the model and its judge; in `bluff` the confidence between the two."""


def requests(calls: list[Call]) -> Counter[str]:
    """Return whole requests, but for how they were sent: tools, log-probabilities and marks for the cache too."""
    return Counter(json.dumps({k: v for k, v in c.body.items() if k != "stream"}, sort_keys=True) for c in calls)


def comparable(log: EvalLog) -> str:
    assert log.status == "success", log.error
    assert not any(sample.error for sample in log.samples or [])
    return json.dumps(values(log), sort_keys=True)


@pytest.mark.parametrize(("name", "wire"), RUNS)
def test_a_batched_run_sends_the_same_requests_and_ends_in_the_same_scores(name: str, wire: str) -> None:
    with Server(plausible(bare=0.0, prose=0.5)) as server:
        single = run(name, wire, server, None)
        first = len(server.calls)
        batched = run(name, wire, server, AT_ONCE)
        sent = [batch.calls for batch in server.batches.values()]
    calls = server.calls[first:]
    assert comparable(batched) == comparable(single)
    assert requests(calls) == requests(server.calls[:first])
    assert len(sent) >= ROUNDS[name]
    assert max(map(len, sent)) > 1
    # nothing goes around the batches but the question whether a verifier is there
    alone = {call.text for call in calls} - {call.text for batch in sent for call in batch}
    assert all(text.startswith(PREFLIGHT) for text in alone)
    assert bool(alone) == (name == "perturb")
    if (name, wire) == ("bluff", "openai"):
        assert metrics(batched)["ece_n"] == 4  # log-probabilities come back
    if (name, wire) == ("perturb", "anthropic"):  # the marks of shared beginnings are in the batch
        asked = [call for batch in sent for call in batch if call.text.startswith("You check test items")]
        marked = [block for call in asked for block in call.body["messages"][-1]["content"][:-1]]
        assert len(marked) >= len(asked) > 0
        assert all(block["cache_control"]["type"] == "ephemeral" for block in marked)


def fails(call: Call, role: str) -> bool:
    return role == "all" or (bool(call.tools) == (role == "judge") and call.digest % 2 == 1)


FAULTS = [
    ("anthropic", "model", Fault.SERVER_ERROR),
    ("openai", "judge", Fault.DROP),
    ("openai", "all", Fault.DROP),
]
"""A dropped item expired before it was run; where all are, the batch expired as a whole."""


@pytest.mark.parametrize(("wire", "role", "fault"), FAULTS)
def test_a_failed_item_is_an_error_and_never_a_verdict(wire: str, role: str, fault: Fault) -> None:
    def script(call: Call) -> Reply | Fault | str:
        return fault if fails(call, role) else plausible(bare=0.0, prose=0.5)(call)

    with Server(script) as server:
        log = run("nq", wire, server, AT_ONCE, limit=8, fail_on_error=False)
        batches = [batch.calls for batch in server.batches.values()]
    samples = log.samples or []
    assert len(samples) == 8
    failed = sum(fails(call, role) for calls in batches for call in calls)
    # Inspect gives up a whole batch of OpenAI's with one failed item: its neighbours are lost too, and to errors too
    neighbours = sum(len(calls) for calls in batches if any(fails(call, role) for call in calls))
    hit = [sample for sample in samples if sample.error]
    assert len(hit) == (failed if wire == "anthropic" else neighbours) > 0
    assert not any(sample.scores for sample in hit)
    assert all(sample.scores for sample in samples if not sample.error)
