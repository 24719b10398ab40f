"""The grader of single claims against the sources."""

from collections.abc import Sequence

from inspect_ai.model import Model
from pydantic import BaseModel, Field, StrictBool

from refusalbench_tasks.judging.graders import ask_grader, grading_prompt
from refusalbench_tasks.prompting import numbered


class AttributionVerdict(BaseModel, extra="forbid"):
    """One verdict per claim."""

    explanation: str = Field(
        description="One sentence on the claims that are not supported."
    )
    supported: list[StrictBool] = Field(description="One value per claim, in order.")


async def attribute(
    grader: Model,
    claims: Sequence[str],
    sources: Sequence[str],
) -> list[bool] | None:
    """Return whether some source supports each claim; None if the grader gave no valid
    verdict for every claim.
    """
    parts = {"SOURCES": numbered(sources), "CLAIMS": numbered(claims)}
    prompt = grading_prompt(AttributionVerdict, ["attribution.txt"], parts)
    asked = await ask_grader(grader, prompt, AttributionVerdict)
    supported = asked.answer.supported if asked.answer else []
    return supported if len(supported) == len(claims) else None
