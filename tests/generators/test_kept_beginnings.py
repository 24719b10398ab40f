"""Through the genuine client, Anthropic's provider is told which beginnings of a prompt
others share.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan, with_siblings
from refusalbench_tasks.generators.verification import verifier_prompt, verify
from refusalbench_tasks.generators.writing import perturb_prompt, write
from tests.generators.panel import verdict
from tests.provider import Call, Reply, Server

LEVERS = bundled_levers()
SLOTS = with_siblings(make_plan(curate("nq_sample").items[:1], LEVERS))[:3]
MOST = 4
"""Marks that Anthropic allows in a request."""


def sent(wire: str, ask: Any) -> Sequence[Call]:
    with Server(
        lambda _: Reply(
            arguments={"verdicts": [verdict(item=1, own_label="REFUSE_OTHER")]}
        )
    ) as server:
        names = {"openai": ("openai/gpt-4o", server.openai_url)}
        name, url = names.get(
            wire, ("anthropic/claude-3-5-haiku-latest", server.anthropic_url)
        )
        config = GenerateConfig(max_retries=0, max_tokens=500)
        asyncio.run(ask(get_model(name, base_url=url, config=config, memoize=False)))
        return list(server.calls)


def candidate(query: str) -> Candidate:
    return Candidate(
        query=query,
        passages=SLOTS[0].base.passages,
        lever=SLOTS[0].lever or "",
        reasoning="",
    )


def blocks(call: Call) -> list[dict[str, Any]]:
    content = call.body["messages"][-1]["content"]
    assert isinstance(content, list)
    return content


def marked(call: Call) -> list[bool]:
    return ["cache_control" in block for block in blocks(call)]


def test_a_verifiers_prompt_marks_what_all_items_share_and_the_base() -> None:
    slot = SLOTS[0]
    calls = [
        sent(
            "anthropic",
            lambda model, q=query: verify(model, [(slot, candidate(q))], LEVERS),
        )[0]
        for query in ("A?", "B?")
    ]
    one, two = (blocks(call) for call in calls)
    assert [marked(call) for call in calls] == [[True, True, False]] * 2
    # what is kept is the same in both, and nothing of the prompt is lost or added
    assert [block["text"] for block in one[:2]] == [block["text"] for block in two[:2]]
    assert one[2] != two[2]
    assert "".join(block["text"] for block in one) == verifier_prompt(
        [(slot, candidate("A?"))], LEVERS
    )
    assert slot.base.passages[0] in one[1]["text"]
    assert len(one[0]["text"]) > 4096
    assert str(calls[0].body).count("cache_control") <= MOST


def test_so_have_writers_prompts_alone_and_together() -> None:
    first, again = sent("anthropic", lambda model: write(model, SLOTS[:1], LEVERS))
    assert marked(first) == marked(again) == [True, True, False]
    assert "".join(block["text"] for block in blocks(first)) == perturb_prompt(
        SLOTS[:1], LEVERS
    )
    # what is asked once more, since it did not fit, begins alike
    assert blocks(first)[:2] == blocks(again)[:2]
    joint, *_ = sent("anthropic", lambda model: write(model, SLOTS[0].family, LEVERS))
    assert marked(joint) == [True, True, False]


def test_other_providers_get_the_prompt_as_it_is() -> None:
    slot = SLOTS[0]
    (call,) = sent(
        "openai", lambda model: verify(model, [(slot, candidate("A?"))], LEVERS)
    )
    assert call.body["messages"][-1]["content"] == verifier_prompt(
        [(slot, candidate("A?"))], LEVERS
    )
