"""The writer of a collection: asked, checked, and asked once more with what is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from inspect_ai.model import CachePolicy, Model

from refusalbench_tasks.collect.record import RecordEndedError
from refusalbench_tasks.collect.settings import PACKAGE
from refusalbench_tasks.generators.kit.calls import ask_writer
from refusalbench_tasks.judging.ask import Answer, Form, Spent
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled

ROOM = 6_000
"""Tokens of a reply, ten pages at most, where no `--max-tokens` is given."""


@dataclass(frozen=True)
class WriterReply(Generic[Answer]):
    """What a writer gave: an answer, or None with how it failed; what is wrong with it, by rule; what it took."""

    answer: Answer | None
    failure: str | None
    problems: Mapping[str, str]
    spent: Spent

    def sound(self, stage: str) -> Answer:
        """Return the answer. Raises RecordEndedError where there is none, and where something is wrong with it."""
        if self.answer is None:
            raise RecordEndedError(stage, self.failure, accepted=None)
        if self.problems:
            first = next(iter(self.problems)).partition("/")[0]
            raise RecordEndedError(stage, first, "; ".join(self.problems.values()))
        return self.answer


async def write(
    model: Model,
    prompt: str,
    schema: type[Answer],
    form: Form,
    problems_of: Callable[[Answer], Mapping[str, str]],
    cache: CachePolicy | bool = False,
) -> WriterReply[Answer]:
    """Return what a model gives. An answer with problems is asked for once more, with them.

    If the repair is no valid reply, the first answer stands. Raises the provider's error.
    """
    first = await ask_writer(model, prompt, schema, form, ROOM, cache)
    problems = {} if first.answer is None else problems_of(first.answer)
    if first.answer is None or not problems:
        return WriterReply(first.answer, first.failure, {}, first.spent)
    told = "\n".join(f"{name}: {problem}" for name, problem in problems.items())
    parts = material({"YOUR REPLY": first.answer.model_dump_json(), "PROBLEMS": told})
    repair = "\n\n".join((prompt, bundled(PACKAGE, "repair.txt"), parts))
    again = await ask_writer(model, repair, schema, form, ROOM, cache)
    spent = first.spent + again.spent
    if again.answer is None:
        return WriterReply(first.answer, None, problems, spent)
    return WriterReply(again.answer, None, problems_of(again.answer), spent)
