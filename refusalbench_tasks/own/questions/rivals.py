"""Other chunks that may answer a question: what readers say of each, in one call."""

from collections.abc import Sequence
from functools import cache as remembered
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from refusalbench_tasks.generators.kit.heard import hear
from refusalbench_tasks.generators.kit.text_digest import text_digest
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.passage import parts_of, passage_of
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.writing import PACKAGE
from refusalbench_tasks.prompting import bundled

Mark = Literal["same", "another", "none"]
FORM = Form("marks", thinks=True)


class NumberedMark(BaseModel):
    """What a reader says of one passage."""

    model_config = ConfigDict(extra="forbid")

    passage: int = Field(description="The passage's number as shown, from 1.")
    mark: Mark = Field(description="same, another or none.")


class Marks(BaseModel):
    """What a reader says of several passages."""

    model_config = ConfigDict(extra="forbid")

    marks: list[NumberedMark] = Field(description="One entry for each passage, with its number.")


class RivalReading(BaseModel):
    """One reader's marks of the candidates of a question, in their order; none, with the failure, if it failed."""

    reader: str
    digest: str
    marks: tuple[Mark, ...] = ()
    failure: str | None = None
    spent: Spent = Spent()


async def mark_rivals(
    model: Model, question: Question, candidates: Sequence[Chunk], cache: CachePolicy | bool = False
) -> RivalReading:
    """Return a model's marks of other chunks, all in one call. Never raises; a failed call is no mark on any."""
    name, digest = str(model), rivals_digest(question, candidates)
    found = await hear(model, rivals_prompt(question, candidates), _schema(len(candidates)), FORM, cache)
    if found.answer is None:
        return RivalReading(reader=name, digest=digest, failure=found.failure, spent=found.spent)
    by_number = {one.passage: one.mark for one in found.answer.marks}
    marks = tuple(by_number[number] for number in range(1, len(candidates) + 1))
    return RivalReading(reader=name, digest=digest, marks=marks, spent=found.spent)


def rivals_digest(question: Question, candidates: Sequence[Chunk]) -> str:
    """Return what identifies a question and its candidates."""
    return text_digest(question.question, "\n".join(question.answers), *map(passage_of, candidates))


def rivals_prompt(question: Question, candidates: Sequence[Chunk]) -> str:
    """Return a reader's prompt about other chunks. Each is a part of its own, which no text can leave."""
    parts = {"QUESTION": question.question, "ANSWER": "\n".join(question.answers)}
    for number, chunk in enumerate(candidates, 1):
        parts |= parts_of(chunk, number)
    return "\n\n".join((bundled(PACKAGE, "rivals.txt"), how_to_submit(Marks, FORM.thing), material(parts)))


@remembered
def _schema(passages: int) -> type[Marks]:
    def each_once(self: Any) -> Any:
        if sorted(one.passage for one in self.marks) != list(range(1, passages + 1)):
            raise ValueError(f"marks: give exactly one for each passage, with the numbers 1 to {passages}")
        return self

    validators: Any = {"each_once": model_validator(mode="after")(each_once)}
    return create_model("Marks", __base__=Marks, __validators__=validators)
