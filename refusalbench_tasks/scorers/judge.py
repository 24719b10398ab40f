"""The judge: what a reply does that its form does not tell, and how good an answer is."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal, cast

from inspect_ai.model import Model
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.scorers.structured import Reply, ask
from refusalbench_tasks.scorers.vote import Vote
from refusalbench_tasks.solvers.template import bundled, fill
from refusalbench_tasks.taxonomy import Label

LabelName = Literal[
    "ANSWER_ATTEMPT",
    "REFUSE_AMBIGUOUS_QUERY",
    "REFUSE_CONTRADICTORY_CONTEXT",
    "REFUSE_INFO_MISSING_IN_CONTEXT",
    "REFUSE_FALSE_PREMISE_IN_QUERY",
    "REFUSE_GRANULARITY_MISMATCH",
    "REFUSE_NONFACTUAL_QUERY",
    "REFUSE_OTHER",
]


class LabelVerdict(BaseModel):
    """What a reply does."""

    model_config = ConfigDict(extra="forbid")

    explanation: str = Field(description="One sentence: what in the reply decides.")
    label: LabelName = Field(description="What the reply does.")

    def as_label(self) -> Label:
        """Return the label of our taxonomy."""
        return Label.ANSWER if self.label == "ANSWER_ATTEMPT" else Label(self.label)


class GradeVerdict(LabelVerdict):
    """What a reply does and, for an attempt with references, how good it is."""

    grade: int | None = Field(None, ge=1, le=5, strict=True, description="1 to 5; null for a refusal.")


class RequiredGradeVerdict(GradeVerdict):
    """A verdict that must grade an attempt, because references were given."""

    def model_post_init(self, context: object) -> None:
        """Raise if an attempt has no grade."""
        if self.label == "ANSWER_ATTEMPT" and self.grade is None:
            raise ValueError("grade: an ANSWER_ATTEMPT needs a grade from 1 to 5")


async def judge_reply(grader: Model, query: str, reply: str, references: Sequence[str], graded: bool) -> Vote:
    """Return one grader's vote on a reply.

    The grader sees the question, the reply and, if `graded`, the references; never the expected label, never the
    passages. With references, an attempt without a grade is an invalid verdict.
    """
    prompt = judge_prompt(query, reply, references, graded)
    schema = (RequiredGradeVerdict if references else GradeVerdict) if graded else LabelVerdict
    answer = cast(Reply[LabelVerdict], await ask(grader, prompt, schema))
    if answer.answer is None:
        return Vote(str(grader), None, None, answer.raw, answer.failure)
    verdict = answer.answer
    attempt = verdict.as_label() is Label.ANSWER
    grade = verdict.grade if isinstance(verdict, GradeVerdict) and attempt and references else None
    return Vote(str(grader), verdict.as_label(), grade, verdict.explanation, None)


def judge_prompt(query: str, reply: str, references: Sequence[str], graded: bool) -> str:
    """Return the judge's prompt: fixed instructions first, the material last."""
    package = "refusalbench_tasks.scorers"
    parts = {"QUESTION": query, "REPLY": reply}
    instructions = [bundled(package, "label.txt")]
    if graded:
        instructions.append(bundled(package, "grade.txt"))
        parts["REFERENCES"] = "\n".join(references) if references else "(none are given)"
    fields = "explanation, label, grade" if graded else "explanation, label"
    instructions.append(
        f"Submit the verdict by the tool, or as one JSON object with the keys {fields} and nothing else."
    )
    return "\n\n".join([*instructions, material(parts)])


def material(parts: Mapping[str, str]) -> str:
    """Return outside text in marked parts.

    The key of the marks is a digest of the text itself, so no text can contain its own mark.
    """
    key = hashlib.sha256("\x1f".join(parts.values()).encode()).hexdigest()[:16]
    blocks = [f"BEGIN {name} {key}\n{text}\nEND {name} {key}" for name, text in parts.items()]
    return "\n\n".join([fill(bundled("refusalbench_tasks.scorers", "material.txt"), {"key": key}), *blocks])
