"""What a reader or verifier says, where a failed call is a missing answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from inspect_ai.model import CachePolicy, Model

from refusalbench_tasks.judging.ask import Answer, CallFailed, Form, Spent, ask
from refusalbench_tasks.replies.outside_text import problem_of


@dataclass(frozen=True)
class Heard(Generic[Answer]):
    """A valid answer, or None with why there is none; and what it took."""

    answer: Answer | None
    failure: str | None
    spent: Spent


async def hear(
    model: Model,
    prompt: str,
    schema: type[Answer],
    form: Form,
    cache: CachePolicy | bool = False,
    shared: Sequence[int] = (),
) -> Heard[Answer]:
    """Return a model's answer to a prompt, as `ask` does. Never raises: the provider's error is why there is none."""
    try:
        found = await ask(model, prompt, schema, cache, form=form, shared=shared)
    except CallFailed as call:
        return Heard(None, problem_of(call.error), Spent())
    return Heard(found.answer, found.failure, found.spent)
