"""What a reader says of a question beside other passages: whether a user could ask it,
and what answers otherwise.
"""

from pydantic import BaseModel, Field

from refusalbench_tasks.generators.kit.panel import Ballot
from refusalbench_tasks.judging.ask import Form

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
