"""The writer of a collection: asked, held to rules, and asked once more with what is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from inspect_ai.model import CachePolicy, Model

from refusalbench_tasks.collect.queries import PACKAGE
from refusalbench_tasks.generators.kit.writer_call import ask_writer
from refusalbench_tasks.judging.ask import Answer, Form, Spent
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled

Rules = Callable[[Answer], Mapping[str, str]]
"""What is wrong with an answer, by rule, in words for the writer."""
LONGEST_OUTPUT = 2_000
"""Room for a reply, where no `--max-tokens` is given."""


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
    first = await ask_writer(model, prompt, schema, form, room, cache)
    if first.answer is None:
        return Made(None, first.failure, {}, first.spent)
    broken = rules(first.answer)
    if not broken:
        return Made(first.answer, None, {}, first.spent)
    repair = repair_prompt(prompt, first.answer.model_dump_json(), broken)
    again = await ask_writer(model, repair, schema, form, room, cache)
    spent = first.spent + again.spent
    if again.answer is None:
        return Made(first.answer, None, broken, spent)
    return Made(again.answer, None, rules(again.answer), spent)


def repair_prompt(prompt: str, reply: str, broken: Mapping[str, str]) -> str:
    """Return the prompt that asks for a repair: the first one, with the reply and its problems as material."""
    told = {"YOUR REPLY": reply, "PROBLEMS": "\n".join(f"{name}: {problem}" for name, problem in broken.items())}
    return "\n\n".join((prompt, bundled(PACKAGE, "repair.txt"), material(told)))
