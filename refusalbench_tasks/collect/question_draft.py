"""The question of a record, with its answer, as the writer gives it from the gold passage, and the rules on it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, field_validator

from refusalbench_tasks.collect.queries import PACKAGE, dated
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.abstention import is_plain_refusal
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.replies.outside_text import well_formed

FORM = Form("question", thinks=True, in_prose=True)
LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_SUPPORT = 40, 12, 80
"""Words (our definition)."""
_SPEAKS = ("passage", "this page", "the page", "the text", "this text", "the source", "the author", "the article",
           "this article", "according to the")  # fmt: skip


class QuestionDraft(BaseModel):
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
class Drafted:
    """A draft and the passage that it was written from, in which white space is single blanks."""

    draft: QuestionDraft
    passage: str


def not_one_question(case: Drafted) -> str | None:
    """It is one sentence with one question mark, at its end, of at most 40 words."""
    text = case.draft.question
    if text.count("?") != 1 or not text.endswith("?"):
        return "The question must be one sentence that ends with its only question mark."
    return f"The question must have at most {LONGEST_QUESTION} words." if len(text.split()) > LONGEST_QUESTION else None


def speaks_of_text(case: Drafted) -> str | None:
    """It speaks of no passage, page or author."""
    found = next((words for words in _SPEAKS if words in case.draft.question.lower()), "")
    return f"The question must not speak of a text that its reader does not see: '{found}'." if found else None


def tied_to_a_time(case: Drafted) -> str | None:
    """It has no "latest" and no date of these years: a source must not be right or wrong by its day alone."""
    found = dated(case.draft.question)
    return f"The question must have no date and need no news: '{found}'." if found else None


def copied(case: Drafted) -> str | None:
    """It does not stand in the passage: a page may hold questions, and whole replies, for whoever reads it."""
    found = " ".join(case.draft.question.split()).lower() in case.passage.lower()
    return "The question must be in words of your own, not one that the passage holds." if found else None


def subject_unnamed(case: Drafted) -> str | None:
    """It has two words of matter at least."""
    return "The question must name its subject." if len(content_words(case.draft.question)) < 2 else None


def answer_not_in_support(case: Drafted) -> str | None:
    """The answer stands in the support, letter by letter, and is no piece of a word or of a number there."""
    whole = rf"(?<![\w.,]){re.escape(case.draft.answer)}(?!\w|[.,]\d)"
    found = re.search(whole, case.draft.support)
    return None if found else "The answer must stand in the support as it is given, word by word."


def support_not_in_passage(case: Drafted) -> str | None:
    """The support stands in the passage, letter by letter."""
    if case.draft.support and case.draft.support in case.passage:
        return None
    return "The support must be copied from the passage letter by letter."


def support_too_long(case: Drafted) -> str | None:
    """The support is a sentence."""
    long = len(case.draft.support.split()) > LONGEST_SUPPORT
    return f"The support must be one sentence of at most {LONGEST_SUPPORT} words." if long else None


def answer_in_question(case: Drafted) -> str | None:
    """No form of the answer stands in the question."""
    asked = f" {' '.join(answer_tokens(case.draft.question))} "
    for answer in case.draft.answers:
        plain = " ".join(answer_tokens(answer))
        if (plain and f" {plain} " in asked) or Asked("", (answer,)).given_in((case.draft.question,)):
            return f"The question must not contain its answer: '{answer}'."
    return None


def answer_too_long(case: Drafted) -> str | None:
    """The answer is short, so that replies can be compared with it."""
    long = len(case.draft.answer.split()) > LONGEST_ANSWER
    return f"The answer must be the shortest span that answers: at most {LONGEST_ANSWER} words." if long else None


def answer_says_nothing(case: Drafted) -> str | None:
    """The answer has a word of matter, and is no refusal."""
    answer = case.draft.answer
    empty = not answer_tokens(answer) or is_plain_refusal(answer) or not content_words(answer)
    return "The answer must say something that a reply can be compared with." if empty else None


def neighbour_too_near(case: Drafted) -> str | None:
    """The query for a neighbouring subject has words, and less than half of the question's."""
    asked, near = content_words(case.draft.question), content_words(case.draft.neighbour_query)
    if near and len(asked & near) * 2 < len(asked):
        return None
    return "The query for a neighbouring subject must not ask for what the question asks."


RULES: tuple[Callable[[Drafted], str | None], ...] = (
    not_one_question,
    speaks_of_text,
    tied_to_a_time,
    copied,
    subject_unnamed,
    support_not_in_passage,
    answer_not_in_support,
    support_too_long,
    answer_in_question,
    answer_too_long,
    answer_says_nothing,
    neighbour_too_near,
)
"""In this order: of several that are broken the first one names the reason."""


def check(draft: QuestionDraft, passage: str) -> Mapping[str, str]:
    """Return the rules that a draft breaks, each with what is wrong in words for the writer."""
    case = Drafted(draft, " ".join(passage.split()))
    found = {rule.__name__: rule(case) for rule in RULES}
    return {name: problem for name, problem in found.items() if problem}


def question_prompt(topic: str, title: str, passage: str) -> str:
    """Return the writer's prompt for a gold passage."""
    parts = {"TOPIC": topic.replace("_", " "), "TITLE": title, "PASSAGE": passage}
    return "\n\n".join((bundled(PACKAGE, "question.txt"), how_to_submit(QuestionDraft, FORM.thing), material(parts)))
