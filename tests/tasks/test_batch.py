"""Tasks by batch endpoints: the same requests and scores as without, and failures are errors."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import BatchConfig, GenerateConfig, get_model

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from tests.provider import Call, Fault, Reply, Server
from tests.provider.plausible import plausible
from tests.tasks.generation import few_bases

AT_ONCE = BatchConfig(size=1_000, send_delay=0.05, tick=0.05)
"""No waiting: the defaults send after 15 seconds, and look for results every 15."""
TASKS: dict[str, tuple[Callable[[], Task], str]] = {
    "nq": (lambda: nq(data="sample"), "grader"),
    "perturb": (
        lambda: perturb(bases=few_bases(1), classes="MissingInfo", intensities="LOW,HIGH", cache=False),
        "verifier",
    ),
}
"""What makes each task, and the role that it asks besides the model."""


def run(name: str, server: Server, batch: BatchConfig | None, limit: int = 4, **options: Any) -> EvalLog:
    """Run a task on few samples, by batches or without; no model tries again."""
    make, role = TASKS[name]
    config = GenerateConfig(max_retries=0, max_tokens=500, batch=batch)
    model, other = (
        get_model(f"anthropic/claude-{which}", base_url=server.anthropic_url, config=config, memoize=False)
        for which in "ab"
    )
    (log,) = eval(make(), model=model, model_roles={role: [other]}, limit=limit, display="none", **options)
    return log


def comparable(log: EvalLog) -> str:
    assert log.status == "success", log.error
    assert not any(sample.error for sample in log.samples or [])
    values = {str(s.id): {name: score.value for name, score in (s.scores or {}).items()} for s in log.samples or []}
    return json.dumps(values, sort_keys=True)


def requests(calls: list[Call]) -> Counter[str]:
    """Return whole requests, but for how they were sent: tools and marks for the cache too."""
    return Counter(json.dumps({k: v for k, v in c.body.items() if k != "stream"}, sort_keys=True) for c in calls)


@pytest.mark.parametrize("name", TASKS)
def test_a_batched_run_sends_the_same_requests_and_ends_in_the_same_scores(name: str) -> None:
    with Server(plausible(bare=0.0, prose=0.5)) as server:
        single = run(name, server, None)
        first = len(server.calls)
        batched = run(name, server, AT_ONCE)
        sent = [batch.calls for batch in server.batches.values()]
    calls = server.calls[first:]
    assert comparable(batched) == comparable(single)
    assert requests(calls) == requests(server.calls[:first])
    assert len(sent) >= 2
    assert max(map(len, sent)) > 1
    # nothing goes around the batches but the question whether a verifier is there
    alone = {call.text for call in calls} - {call.text for batch in sent for call in batch}
    assert all(text.startswith(PREFLIGHT) for text in alone)
    assert bool(alone) == (name == "perturb")


@pytest.mark.parametrize(("role", "fault"), [("model", Fault.SERVER_ERROR), ("grader", Fault.DROP)])
def test_a_failed_item_is_an_error_and_never_a_verdict(role: str, fault: Fault) -> None:
    def fails(call: Call) -> bool:
        return bool(call.tools) == (role == "grader") and call.digest % 2 == 1

    def script(call: Call) -> Reply | Fault | str:
        return fault if fails(call) else plausible(bare=0.0, prose=0.5)(call)

    with Server(script) as server:
        log = run("nq", server, AT_ONCE, limit=8, fail_on_error=False)
        failed = sum(fails(call) for batch in server.batches.values() for call in batch.calls)
    samples = log.samples or []
    hit = [sample for sample in samples if sample.error]
    assert (len(samples), len(hit)) == (8, failed)
    assert failed > 0
    assert not any(sample.scores for sample in hit)
    assert all(sample.scores for sample in samples if not sample.error)
