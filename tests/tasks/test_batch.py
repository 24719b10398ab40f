"""Every task by the batch endpoints of OpenAI and Anthropic: the same scores as without, and failures are errors."""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from tests.provider import Call, Fault, Reply, Server
from tests.provider.plausible import plausible
from tests.tasks.batches import AT_ONCE, run, values
from tests.tasks.hedging import metrics

SLOW = pytest.mark.slow
RUNS = [
    ("nq", "anthropic"), ("garage", "openai"), ("bluff", "openai"), ("perturb", "anthropic"),
    pytest.param("nq", "openai", marks=SLOW), pytest.param("garage", "anthropic", marks=SLOW),
    pytest.param("bluff", "anthropic", marks=SLOW), pytest.param("perturb", "openai", marks=SLOW),
]  # fmt: skip
ROUNDS = {"nq": 2, "garage": 2, "bluff": 3, "perturb": 2}
"""The fewest batches one after the other: the model and its judge; in `bluff` the confidence between the two."""


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")


@dataclass(frozen=True)
class Both:
    """A run without batches and the same run by batches, with what the server was asked in each."""

    single: EvalLog
    batched: EvalLog
    one_by_one: list[Call]
    calls: list[Call]
    batches: list[list[Call]]


@cache
def both(name: str, wire: str) -> Both:
    with Server(plausible(bare=0.0, prose=0.5)) as server:
        single = run(name, wire, server, None)
        first = len(server.calls)
        batched = run(name, wire, server, AT_ONCE)
        sent = [batch.calls for batch in server.batches.values()]
        return Both(single, batched, server.calls[:first], server.calls[first:], sent)


def requests(calls: list[Call]) -> Counter[str]:
    """Return whole requests, but for how they were sent: tools, log-probabilities and marks for the cache too."""
    return Counter(json.dumps({k: v for k, v in c.body.items() if k != "stream"}, sort_keys=True) for c in calls)


def comparable(log: EvalLog) -> str:
    assert log.status == "success", log.error
    assert not any(sample.error for sample in log.samples or [])
    return json.dumps(values(log), sort_keys=True)


@pytest.mark.parametrize(("name", "wire"), RUNS)
def test_a_batched_run_sends_the_same_requests_and_ends_in_the_same_scores(name: str, wire: str) -> None:
    found = both(name, wire)
    assert comparable(found.batched) == comparable(found.single)
    assert requests(found.calls) == requests(found.one_by_one)
    assert len(found.batches) >= ROUNDS[name]
    assert max(map(len, found.batches)) > 1


@pytest.mark.parametrize(("name", "wire"), RUNS)
def test_nothing_goes_around_the_batches_but_the_question_whether_a_verifier_is_there(name: str, wire: str) -> None:
    found = both(name, wire)
    alone = {call.text for call in found.calls} - {call.text for calls in found.batches for call in calls}
    assert all(text.startswith(PREFLIGHT) for text in alone)
    assert bool(alone) == (name == "perturb")


def test_log_probabilities_come_back_from_a_batch() -> None:
    assert metrics(both("bluff", "openai").batched)["ece_n"] == 4


def test_the_marks_of_shared_beginnings_are_in_the_batch() -> None:
    sent = [call for calls in both("perturb", "anthropic").batches for call in calls]
    votes = [call.body["messages"][-1]["content"] for call in sent if call.text.startswith("You check test items")]
    assert votes
    for blocks in votes:
        assert len(blocks) > 1
        assert all(block["cache_control"]["type"] == "ephemeral" for block in blocks[:-1])


def fails(call: Call, role: str) -> bool:
    return bool(call.tools) == (role == "judge") and call.digest % 2 == 1


FAULTS = [
    ("anthropic", "model", Fault.SERVER_ERROR),
    ("anthropic", "judge", Fault.DROP),
    ("openai", "model", Fault.SERVER_ERROR),
    ("openai", "judge", Fault.DROP),
    ("openai", "judge", Fault.MALFORMED),
]


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


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_batch_that_expired_as_a_whole_gives_errors(wire: str) -> None:
    def script(call: Call) -> Any:
        return Fault.DROP

    with Server(script) as server:
        log = run("nq", wire, server, AT_ONCE, fail_on_error=False)
        assert [batch.expired for batch in server.batches.values()] == [4]
    samples = log.samples or []
    assert len(samples) == 4
    assert all(sample.error and not sample.scores for sample in samples)
