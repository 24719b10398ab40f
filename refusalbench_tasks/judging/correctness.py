"""The grader of a free answer: answer or refusal, and how correct, in one call; and
which of its claims the sources support.
"""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Annotated, Literal

from inspect_ai.model import Model
from pydantic import BaseModel, Field, StrictBool

from refusalbench_tasks.outcome import HedgingMode, Protocol
from refusalbench_tasks.prompting import numbered
from refusalbench_tasks.replies.answer_line import ExplainedReply

from .ask import Submission
from .graders import ask_grader, grading_prompt
from .label import OR_UNKNOWN

Share = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        strict=True,
        allow_inf_nan=False,
    ),
]


class CorrectnessVerdict(Submission):
    """How correct an answer is."""

    explanation: str
    """One sentence: what decides."""
    correctness: Share
    """0 to 1."""


class BehaviourVerdict(Submission):
    """What a reply does and, for an answer, how correct it is."""

    explanation: str
    """One sentence: what decides."""
    behaviour: Literal["ANSWER", "REFUSAL"]
    """What the reply does."""
    correctness: Share | None = None
    """0 to 1; null for a refusal."""

    def model_post_init(self, context: object) -> None:
        """Raise if an answer has no grade."""
        if self.behaviour == "ANSWER" and self.correctness is None:
            raise ValueError("correctness: an ANSWER needs a number from 0 to 1")


Named = Literal["CONFLICT", "GAP", "NEITHER"]
"""What a reply tells its reader is wrong with the sources."""


class HedgingVerdict(BehaviourVerdict):
    """A `BehaviourVerdict` that also says how a reply words its answer.

    What is wrong with these two parts costs them alone: they are then None, and the
    rest of the verdict stands.
    """

    decisiveness: Annotated[Share | None, OR_UNKNOWN] = None
    """0 to 1; null for a refusal."""
    named: Annotated[Named | None, OR_UNKNOWN] = None
    """What the reply says is wrong with the sources."""


class Grade(BaseModel):
    """One grader's verdict: whether the reply refuses, and how correct it is (None for
    a refusal).

    `decisiveness` and `named` are None unless they were asked for, and where the grader
    gave nothing valid.
    """

    grader: str
    refused: bool | None = None
    correctness: float | None = None
    decisiveness: float | None = None
    named: Named | None = None
    explanation: str = ""
    failure: str | None = None


async def grade_answer(
    grader: Model,
    query: str,
    gold: str,
    reply: ExplainedReply,
    protocol: Protocol,
    hedging: HedgingMode = "list",
    check: bool = False,
) -> Grade:
    """Return one grader's verdict on a reply; `failure` says why there is none.

    With `official-code` only the answer line is shown, and it is graded whatever it
    does. With `hedging="judge"` the same call also tells how the reply words its
    answer; under `official-code` it can't. `check`: the reply is a known one.
    """
    official = protocol == "official-code"
    schema: type[CorrectnessVerdict | BehaviourVerdict] = BehaviourVerdict
    files = ["correctness.txt"]
    if official:
        schema = CorrectnessVerdict
        files = ["correctness_official.txt"]
    elif hedging == "judge":
        schema = HedgingVerdict
        files.append("hedging.txt")
    parts = {
        "QUESTION": query,
        "REFERENCE ANSWER": gold,
        "REPLY": reply.answer if official else reply.text,
    }
    prompt = grading_prompt(schema, files, parts)
    asked = await ask_grader(
        grader,
        prompt,
        schema,
        check,
    )
    verdict = asked.answer
    if verdict is None:
        return Grade(
            grader=str(grader),
            explanation=asked.raw,
            failure=asked.failure,
        )
    grade = Grade(
        grader=str(grader),
        refused=False,
        explanation=verdict.explanation,
    )
    if isinstance(verdict, HedgingVerdict):
        grade.named = verdict.named
    if isinstance(verdict, BehaviourVerdict) and verdict.behaviour == "REFUSAL":
        grade.refused = True
        return grade
    grade.correctness = verdict.correctness
    if isinstance(verdict, HedgingVerdict):
        grade.decisiveness = verdict.decisiveness
    return grade


def combine(grades: Sequence[Grade]) -> tuple[bool | None, float | None]:
    """Return the panel's majority on refusal and its median correctness; (None, None)
    without a majority.
    """
    valid = [grade for grade in grades if grade.refused is not None]
    answers = [grade for grade in valid if not grade.refused]
    if 2 * len(answers) == len(valid):
        return None, None
    if 2 * len(answers) < len(valid):
        return True, None
    known = [grade.correctness for grade in answers if grade.correctness is not None]
    return False, median(known)


def combine_wording(grades: Sequence[Grade]) -> tuple[float | None, Named | None]:
    """Return the panel's median decisiveness, and what most of it say is named; None
    where nobody, or no most, does.
    """
    known = [grade.decisiveness for grade in grades if grade.decisiveness is not None]
    named = Counter(grade.named for grade in grades if grade.named is not None)
    most = next((name for name, n in named.items() if 2 * n > named.total()), None)
    return (median(known) if known else None), most


class AttributionVerdict(Submission):
    """One verdict per claim."""

    explanation: str
    """One sentence on the claims that are not supported."""
    supported: list[StrictBool]
    """One value per claim, in order."""


async def attribute(
    grader: Model,
    claims: Sequence[str],
    sources: Sequence[str],
) -> list[bool] | None:
    """Return whether some source supports each claim; None if the grader gave no valid
    verdict for every claim.
    """
    parts = {"SOURCES": numbered(sources), "CLAIMS": numbered(claims)}
    prompt = grading_prompt(
        AttributionVerdict,
        ["attribution.txt"],
        parts,
    )
    asked = await ask_grader(grader, prompt, AttributionVerdict)
    supported = asked.answer.supported if asked.answer else []
    return supported if len(supported) == len(claims) else None
