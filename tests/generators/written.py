"""Candidates that a scripted writer makes for the first base question."""

import asyncio
from typing import Any

from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan, with_siblings
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.generators.writing import Written, write
from tests.generators.panel import of_each, write_well
from tests.models import Answer, output

LEVERS = bundled_levers()
PLAN = with_siblings(make_plan(curate("nq_sample").items[:1], LEVERS))
SLOT = PLAN[0]


def watched(said: Any, seen: list[Any], **config: Any) -> Model:
    def reply(messages: Any, tools: Any, choice: Any, _: Any) -> ModelOutput:
        seen.append((messages[-1].text, tools[0], choice))
        return output(said(messages[-1].text), tool=tools[0].name)

    return get_model(
        "mockllm/w",
        custom_outputs=reply,
        memoize=False,
        config=GenerateConfig(**config),
    )


def well(prompt: str) -> Answer:
    return of_each(write_well, prompt)


def written(
    said: Any,
    seen: list[Any] | None = None,
    slots: list[ItemSlot] | None = None,
    **config: Any,
) -> Written:
    return asyncio.run(
        write(
            watched(said, [] if seen is None else seen, **config),
            slots or [SLOT],
            LEVERS,
        )
    )
