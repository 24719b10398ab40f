"""What a writer gives, and the question that becomes of it."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from refusalbench_tasks.generators.kit.answers import gives_gold, same_words
from refusalbench_tasks.generators.kit.calls import text_digest
from refusalbench_tasks.generators.kit.model_text import ModelText, ModelTexts
from refusalbench_tasks.judging.ask import Form
from refusalbench_tasks.own.documents.corpus import Chunk

from .chunk_text import matter, span_of

QuestionKind = Literal[
    "answerable", "near miss", "missing detail", "false premise", "plainly outside"
]
OUTSIDE: tuple[QuestionKind, ...] = (
    "near miss",
    "missing detail",
    "false premise",
    "plainly outside",
)
"""The kinds of questions that nothing in the corpus answers."""
FORM = Form("questions", thinks=True, in_prose=True)
"""How a writer gives its questions.

Checks follow whatever is taken from a longer text.
"""


class QuestionDraft(BaseModel, extra="forbid", frozen=True):
    """One question as the writer gives it."""

    kind: QuestionKind = Field(
        description="answerable, or why nothing in the documents answers it."
    )
    question: ModelText = Field(
        description="The question, which can be understood without the passage."
    )
    answer: ModelText = Field(
        description=(
            "The shortest span of the passage that answers it; empty unless answerable."
        )
    )
    support: ModelText = Field(
        description=(
            "The sentence that holds the answer, or that the question builds on; or"
            " empty."
        )
    )
    aliases: ModelTexts = Field(
        description="Other forms of the same answer; an empty list if there are none."
    )


class Drafts(BaseModel, extra="forbid"):
    """What the writer makes of a passage."""

    questions: list[QuestionDraft] = Field(
        description="The questions; an empty list if there is nothing to ask for."
    )


class Question(BaseModel, frozen=True):
    """A question of a chunk that passed the checks.

    `start` and `end` are the offsets of the answer in the document's text, or of what
    the question builds on.
    """

    id: str
    chunk_id: str
    question: str
    kind: QuestionKind
    answers: tuple[str, ...]
    """The answer as it stands in the chunk, then its other forms; none for a question
    that nothing answers.
    """
    support: str
    start: int
    end: int


def question_of(draft: QuestionDraft, chunk: Chunk) -> Question:
    """Return a draft that passed the checks as a question.

    Raises ValueError if its words are not in the chunk.
    """
    start, end = span_of(chunk.text, draft.support) or (0, 0)
    support = chunk.text[start:end]
    answer = ""
    if draft.kind == "answerable":
        within = span_of(support, draft.answer)
        if within is None:
            raise ValueError("the answer does not stand in the chunk's support")
        start, end = start + within[0], start + within[1]
        answer = chunk.text[start:end]
    return Question(
        id=f"{chunk.id}-{text_digest(draft.question, answer)[:8]}",
        chunk_id=chunk.id,
        question=draft.question,
        kind=draft.kind,
        answers=aliases_of(answer, draft.aliases) if answer else (),
        support=support,
        start=chunk.start + start,
        end=chunk.start + end,
    )


def aliases_of(answer: str, aliases: Sequence[str]) -> tuple[str, ...]:
    """Return the answer on one line, and the aliases that are plainly the same answer,
    each once.

    An alias is if it gives the answer, or shares a word of matter with it and no other
    value. Any other is left out: a wrong alias would make a wrong answer right.
    """
    kept = [" ".join(answer.split())]
    for alias in aliases:
        same = gives_gold(alias, kept[:1])
        if same is None:
            same = bool(matter(alias) & matter(answer))
        if same and not any(same_words(alias, other) for other in kept):
            kept.append(alias)
    return tuple(kept)
