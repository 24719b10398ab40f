"""The question of a record, with its answer, as the writer gives it from the gold passage, and the checks on it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, field_validator

from refusalbench_tasks.collect.queries import tied_to_year
from refusalbench_tasks.collect.settings import PACKAGE
from refusalbench_tasks.generators.kit.answers import stands_in
from refusalbench_tasks.generators.kit.checks import broken, format_left
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.replies.outside_text import well_formed

FORM = Form("question", thinks=True, in_prose=True)
LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_SUPPORT = 40, 12, 80
"""Words (our definition)."""


class SourcedQuestion(BaseModel):
    """A question with answer, support and other forms of the answer, and a query for a neighbouring subject."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = Field(description="The question, which can be understood without the passage.")
    answer: str = Field(description="The shortest span of the passage that answers it, letter by letter.")
    support: str = Field(description="The sentence of the passage in which the answer stands, letter by letter.")
    aliases: tuple[str, ...] = Field(description="Other forms of the same answer; an empty list if there are none.")
    neighbour_query: str = Field(description="A search query for a neighbouring subject.")

    @field_validator("question", "answer", "support", "neighbour_query")
    @classmethod
    def _stripped(cls, text: str) -> str:
        return " ".join(well_formed(text).split())

    @field_validator("aliases")
    @classmethod
    def _filled(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in (" ".join(well_formed(one).split()) for one in texts) if text)

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the answer in all its forms."""
        return (self.answer, *self.aliases)


@dataclass(frozen=True)
class PassageQuestion:
    """A question and the passage that it was written from, in which white space is single blanks."""

    draft: SourcedQuestion
    passage: str


def not_one_question(case: PassageQuestion) -> str | None:
    """It is one sentence of at most 40 words with one question mark, at its end, and no markup or year."""
    text = case.draft.question.replace("？", "?")
    if text.count("?") != 1 or not text.endswith("?") or len(text.split()) > LONGEST_QUESTION:
        return f"The question must be one sentence of at most {LONGEST_QUESTION} words, its only question mark its end."
    if tied_to_year(text):
        # a source must not be right or wrong by its day alone
        return "The question must have no date and need no news."
    return format_left(text)


def copied(case: PassageQuestion) -> str | None:
    """It does not stand in the passage: a page may hold questions, and whole replies, for whoever reads it."""
    found = case.draft.question.lower() in case.passage.lower()
    return "The question must be in words of your own, not one that the passage holds." if found else None


def support_not_in_passage(case: PassageQuestion) -> str | None:
    """The support stands in the passage, letter by letter, and is a sentence."""
    support = case.draft.support
    if support and support in case.passage and len(support.split()) <= LONGEST_SUPPORT:
        return None
    return f"The support must be one sentence of the passage, letter by letter, of at most {LONGEST_SUPPORT} words."


def answer_not_in_support(case: PassageQuestion) -> str | None:
    """The answer stands in the support, letter by letter, is short, and no piece of a word or of a number there."""
    answer = case.draft.answer
    found = re.search(rf"(?<![\w.,]){re.escape(answer)}(?!\w|[.,]\d)", case.draft.support)
    if found and answer_tokens(answer) and len(answer.split()) <= LONGEST_ANSWER:
        return None
    return f"The answer must stand in the support as it is given, in at most {LONGEST_ANSWER} words."


def answer_in_question(case: PassageQuestion) -> str | None:
    """No form of the answer stands in the question."""
    found = stands_in(case.draft.answers, case.draft.question)
    return "The question must not contain its answer." if found else None


def neighbour_too_near(case: PassageQuestion) -> str | None:
    """The query for a neighbouring subject has words, and less than half of the question's."""
    asked, near = (set(answer_tokens(text)) for text in (case.draft.question, case.draft.neighbour_query))
    if near and len(asked & near) * 2 < len(asked):
        return None
    return "The query for a neighbouring subject must not ask for what the question asks."


CHECKS = (
    not_one_question,
    copied,
    support_not_in_passage,
    answer_not_in_support,
    answer_in_question,
    neighbour_too_near,
)
"""In this order: of several that are broken the first one names the reason."""


def question_problems(draft: SourcedQuestion, passage: str) -> Mapping[str, str]:
    """Return what is wrong with a draft, by check, in words for the writer."""
    return broken(CHECKS, PassageQuestion(draft, " ".join(passage.split())))


def question_prompt(topic: str, title: str, passage: str) -> str:
    """Return the writer's prompt for a gold passage."""
    parts = {"TOPIC": topic.replace("_", " "), "TITLE": title, "PASSAGE": passage}
    return "\n\n".join((bundled(PACKAGE, "question.txt"), how_to_submit(SourcedQuestion, FORM.thing), material(parts)))
