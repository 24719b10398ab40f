"""What a writer gives: questions with answer, support and aliases."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from refusalbench_tasks.judging.ask import Form
from refusalbench_tasks.replies.outside_text import well_formed

KindName = Literal["who", "when", "where", "how many", "how much", "which", "why", "how", "other"]
FORM = Form("questions", thinks=True, in_prose=True)
"""How a writer gives its questions. Rules check whatever is taken from a longer text."""


class QuestionDraft(BaseModel):
    """One question as the writer gives it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = Field(description="The question, which can be understood without the passage.")
    answer: str = Field(description="The shortest span of the passage that answers it, letter by letter.")
    support: str = Field(description="The sentence of the passage in which the answer stands, letter by letter.")
    aliases: tuple[str, ...] = Field(description="Other forms of the same answer; an empty list if there are none.")
    kind: KindName = Field(description="What the question asks for.")

    @field_validator("question", "answer", "support")
    @classmethod
    def _stripped(cls, text: str) -> str:
        return well_formed(text).strip()

    @field_validator("aliases")
    @classmethod
    def _filled(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in (well_formed(one).strip() for one in texts) if text)


class Drafts(BaseModel):
    """What the writer makes of a passage."""

    model_config = ConfigDict(extra="forbid")

    questions: list[QuestionDraft] = Field(description="The questions; an empty list if there is nothing to ask for.")
