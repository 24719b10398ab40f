"""Tasks by batch endpoints: a failed request is an error of its sample."""

import pytest
from inspect_ai import eval
from inspect_ai.model import BatchConfig, GenerateConfig, get_model

from refusalbench_tasks.tasks.nq import nq
from tests.provider import Call, Fault, Reply, Server
from tests.provider.plausible import plausible

AT_ONCE = BatchConfig(size=1_000, send_delay=0.05, tick=0.05)
BATCHED = GenerateConfig(max_retries=0, max_tokens=500, batch=AT_ONCE)
"""No waiting: the defaults send after 15 seconds, and look for results every 15."""


@pytest.mark.parametrize(
    ("role", "fault"), [("model", Fault.SERVER_ERROR), ("grader", Fault.DROP)]
)
def test_a_failed_item_is_an_error_and_never_a_verdict(role: str, fault: Fault) -> None:
    def fails(call: Call) -> bool:
        return bool(call.tools) == (role == "grader") and call.digest % 2 == 1

    def script(call: Call) -> Reply | Fault | str:
        return fault if fails(call) else plausible(bare=0.0, prose=0.5)(call)

    with Server(script) as server:
        model, grader = (
            get_model(
                f"anthropic/claude-{which}",
                base_url=server.anthropic_url,
                config=BATCHED,
                memoize=False,
            )
            for which in "ab"
        )
        task = nq(data="sample")
        roles = {"grader": [grader]}
        (log,) = eval(
            task,
            model=model,
            model_roles=roles,
            limit=8,
            display="none",
            fail_on_error=False,
        )
        failed = sum(
            fails(call) for batch in server.batches.values() for call in batch.calls
        )
    samples = log.samples or []
    hit = [sample for sample in samples if sample.error]
    assert max(len(batch.calls) for batch in server.batches.values()) > 1
    assert (len(samples), len(hit)) == (8, failed)
    assert failed > 0
    assert not any(sample.scores for sample in hit)
    assert all(sample.scores for sample in samples if not sample.error)
