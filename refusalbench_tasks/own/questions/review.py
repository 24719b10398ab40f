"""What a reader says of a question beside other passages: whether a user could ask it,
and what answers otherwise.
"""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.generators.kit.calls import hear
from refusalbench_tasks.generators.kit.panel import Ballot
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.draft import Question
from refusalbench_tasks.own.questions.passage import Searched, parts_of
from refusalbench_tasks.own.questions.writing import PACKAGE
from refusalbench_tasks.prompting import bundled

FORM = Form("review", thinks=True)


class ReviewSays(BaseModel):
    """What a reader says of a question and of several passages."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(description="One sentence: what decides it.")
    standalone: bool = Field(
        description=(
            "Whether a user who has seen none of these texts could have asked it."
        )
    )
    another: list[int] = Field(
        description="The numbers of the passages that give another answer; often none."
    )


class Review(Ballot):
    """One reader's review of a question: it passes if a user could have asked it.

    `another` are the positions, from 0, of the candidates that answer it otherwise.
    """

    another: tuple[int, ...] = ()


def candidates_of(
    question: Question, chunk: Chunk, corpus: Searched, k: int
) -> list[Chunk]:
    """Return at most k other chunks for a question, the nearest first."""
    return [
        one for one in corpus.nearest(question.question, k + 1) if one.id != chunk.id
    ][:k]


async def review_question(
    model: Model,
    question: Question,
    candidates: Sequence[Chunk],
    digest: str,
    cache: CachePolicy | bool = False,
) -> Review:
    """Return a model's review of a question beside other chunks, in one call.

    A failed call is a missing review.
    """
    parts = {"QUESTION": question.question, "ANSWER": "\n".join(question.answers)}
    for number, chunk in enumerate(candidates, 1):
        parts |= parts_of(chunk, number)
    # each chunk is a part of its own, which no text can leave
    prompt = "\n\n".join(
        (
            bundled(PACKAGE, "review.txt"),
            how_to_submit(ReviewSays, FORM.thing),
            material(parts),
        )
    )
    found = await hear(model, prompt, ReviewSays, FORM, cache)
    known: dict[str, Any] = {
        "verifier": str(model),
        "digest": digest,
        "spent": found.spent,
    }
    if found.answer is None:
        return Review(**known, failure=found.failure)
    another = tuple(
        number - 1 for number in found.answer.another if 1 <= number <= len(candidates)
    )
    return Review(**known, passed=found.answer.standalone, another=another)
