"""A call to a writer: with room for what it writes, and for its thoughts."""

from collections.abc import Sequence

from inspect_ai.model import CachePolicy, GenerateConfig, Model

from refusalbench_tasks.judging.ask import Answer, CallFailed, Form, Reply, ask, reasons

ROOM_TO_THINK = 8_000
"""More room for a model that reasons: its thoughts count as output."""


async def ask_writer(
    model: Model,
    prompt: str,
    schema: type[Answer],
    form: Form,
    room: int,
    cache: CachePolicy | bool = False,
    shared: Sequence[int] = (),
) -> Reply[Answer]:
    """Return a writer's reply, as `ask` does. Raises the provider's error.

    `room` is how many tokens the reply may have where no `--max-tokens` is given.
    """
    tokens = room + (ROOM_TO_THINK if reasons(model) else 0)
    config = None if model.config.max_tokens else GenerateConfig(max_tokens=tokens)
    try:
        return await ask(model, prompt, schema, cache, config, form, shared)
    except CallFailed as failed:
        raise failed.error from None
