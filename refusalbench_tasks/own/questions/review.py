"""What a reader says of a question beside other passages: whether a user could ask it, and which of them answer it."""

from collections.abc import Sequence
from functools import cache as remembered
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from refusalbench_tasks.generators.kit.calls import hear, text_digest
from refusalbench_tasks.generators.kit.panel import Ballot
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.draft import Question
from refusalbench_tasks.own.questions.passage import Searched, parts_of, passage_of
from refusalbench_tasks.own.questions.writing import PACKAGE
from refusalbench_tasks.prompting import bundled

Mark = Literal["same", "another", "none"]
FORM = Form("marks", thinks=True)
FROM_DOCUMENT, SEARCHED = 2, 5
"""Other chunks of its own document that a question is set beside first; how many times more chunks are searched."""


class NumberedMark(BaseModel):
    """What a reader says of one passage."""

    model_config = ConfigDict(extra="forbid")

    passage: int = Field(description="The passage's number as shown, from 1.")
    mark: Mark = Field(description="same, another or none.")


class Marks(BaseModel):
    """What a reader says of a question and of several passages."""

    model_config = ConfigDict(extra="forbid")

    standalone: bool = Field(description="Whether a user who has seen none of these texts could have asked it.")
    marks: list[NumberedMark] = Field(description="One entry for each passage, with its number.")


class Review(Ballot):
    """One reader's marks of the candidates of a question, in their order; none, with the failure, if it failed.

    It passes if a user could have asked the question; what the marks decide is the run's choice.
    """

    marks: tuple[Mark, ...] = ()


def candidates_of(question: Question, chunk: Chunk, corpus: Searched, k: int) -> list[Chunk]:
    """Return at most k other chunks for a question: two of its own document, then the nearest, the nearest first."""
    found = [one for one in corpus.nearest(question.question, k * SEARCHED) if one.id != chunk.id]
    own = [one for one in found if one.doc_id == chunk.doc_id][:FROM_DOCUMENT]
    return [*own, *(one for one in found if one not in own)][:k]


def review_digest(question: Question, candidates: Sequence[Chunk]) -> str:
    """Return what identifies a question and its candidates."""
    return text_digest(question.question, "\n".join(question.answers), *map(passage_of, candidates))


async def review_question(
    model: Model, question: Question, candidates: Sequence[Chunk], cache: CachePolicy | bool = False
) -> Review:
    """Return a model's review of a question beside other chunks, in one call. A failed call is a missing review."""
    known: dict[str, Any] = {"verifier": str(model), "digest": review_digest(question, candidates)}
    found = await hear(model, review_prompt(question, candidates), _schema(len(candidates)), FORM, cache)
    if found.answer is None:
        return Review(**known, failure=found.failure, spent=found.spent)
    by_number = {one.passage: one.mark for one in found.answer.marks}
    marks = tuple(by_number[number] for number in range(1, len(candidates) + 1))
    return Review(**known, passed=found.answer.standalone, marks=marks, spent=found.spent)


def review_prompt(question: Question, candidates: Sequence[Chunk]) -> str:
    """Return a reader's prompt about other chunks. Each is a part of its own, which no text can leave."""
    parts = {"QUESTION": question.question, "ANSWER": "\n".join(question.answers)}
    for number, chunk in enumerate(candidates, 1):
        parts |= parts_of(chunk, number)
    return "\n\n".join((bundled(PACKAGE, "review.txt"), how_to_submit(Marks, FORM.thing), material(parts)))


@remembered
def _schema(passages: int) -> type[Marks]:
    def each_once(self: Any) -> Any:
        if sorted(one.passage for one in self.marks) != list(range(1, passages + 1)):
            raise ValueError(f"marks: give exactly one for each passage, with the numbers 1 to {passages}")
        return self

    validators: Any = {"each_once": model_validator(mode="after")(each_once)}
    return create_model("Marks", __base__=Marks, __validators__=validators)
