"""What a reader says of a question beside other passages: whether a user could ask it,
and what answers otherwise.
"""

from collections.abc import Sequence

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, Field

from refusalbench_tasks.generators.kit.calls import hear, prompt_of
from refusalbench_tasks.generators.kit.panel import Ballot, ballot_facts
from refusalbench_tasks.judging.ask import Form
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.documents.corpus import Chunk

from .chunk_text import material_parts
from .draft import Question
from .writing import PACKAGE

FORM = Form("review", thinks=True)


class ReviewSays(BaseModel, extra="forbid"):
    """What a reader says of a question and of several passages."""

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


async def review_question(
    model: Model,
    question: Question,
    candidates: Sequence[Chunk],
    digest: str,
    cache: CachePolicy | bool,
) -> Review:
    """Return a model's review of a question beside other chunks, in one call.

    A failed call is a missing review.
    """
    parts = {"QUESTION": question.question, "ANSWER": "\n".join(question.answers)}
    for number, chunk in enumerate(candidates, 1):
        parts |= material_parts(chunk, number)
    # each chunk is a part of its own, which no text can leave
    reply = await hear(
        model,
        prompt_of(PACKAGE, "review.txt", ReviewSays, FORM, material(parts)),
        ReviewSays,
        FORM,
        cache,
    )
    facts = ballot_facts(model, digest, reply)
    if reply.answer is None:
        return Review(**facts)
    another = [number - 1 for number in reply.answer.another]
    return Review(
        **facts,
        passed=reply.answer.standalone,
        another=tuple(k for k in another if 0 <= k < len(candidates)),
    )
