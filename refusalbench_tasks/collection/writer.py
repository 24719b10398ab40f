"""The writer of a collection: asked, held to rules, and asked once more with what is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from inspect_ai.model import CachePolicy, GenerateConfig, Model

from refusalbench_tasks.collection.queries import PACKAGE
from refusalbench_tasks.judging.ask import Answer, CallFailed, Form, Reply, Spent, ask, reasons
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled

Rules = Callable[[Answer], Mapping[str, str]]
"""What is wrong with an answer, by rule, in words for the writer."""
LONGEST_OUTPUT = 2_000
"""Room for a reply, where no `--max-tokens` is given."""
ROOM_TO_THINK = 8_000
"""More of it for a model that reasons: its thoughts count as output."""


@dataclass(frozen=True)
class Made(Generic[Answer]):
    """What a writer gave: an answer, or None with how it failed; the rules that the answer breaks; what it took."""

    answer: Answer | None
    failure: str | None
    broken: Mapping[str, str]
    spent: Spent


async def make(
    model: Model,
    prompt: str,
    schema: type[Answer],
    form: Form,
    rules: Rules[Answer],
    cache: CachePolicy | bool = False,
    room: int = LONGEST_OUTPUT,
) -> Made[Answer]:
    """Return what a model gives. An answer that breaks rules is asked for once more, with the rules.

    If the repair is no valid reply, the first answer stands with what it breaks. Raises the provider's error.
    """
    first = await _ask(model, prompt, schema, form, cache, room)
    if first.answer is None:
        return Made(None, first.failure, {}, first.spent)
    broken = rules(first.answer)
    if not broken:
        return Made(first.answer, None, {}, first.spent)
    again = await _ask(model, repair_prompt(prompt, first.answer.model_dump_json(), broken), schema, form, cache, room)
    spent = first.spent + again.spent
    if again.answer is None:
        return Made(first.answer, None, broken, spent)
    return Made(again.answer, None, rules(again.answer), spent)


def repair_prompt(prompt: str, reply: str, broken: Mapping[str, str]) -> str:
    """Return the prompt that asks for a repair: the first one, with the reply and its problems as material."""
    told = {"YOUR REPLY": reply, "PROBLEMS": "\n".join(f"{name}: {problem}" for name, problem in broken.items())}
    return "\n\n".join((prompt, bundled(PACKAGE, "repair.txt"), material(told)))


async def _ask(
    model: Model, prompt: str, schema: type[Answer], form: Form, cache: CachePolicy | bool, room: int
) -> Reply[Answer]:
    tokens = room + (ROOM_TO_THINK if reasons(model) else 0)
    config = None if model.config.max_tokens else GenerateConfig(max_tokens=tokens)
    try:
        return await ask(model, prompt, schema, cache, config, form)
    except CallFailed as failed:
        raise failed.error from None
