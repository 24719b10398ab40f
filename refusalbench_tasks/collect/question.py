"""The question of a record, with its answer, as the writer gives it from the gold
passage, and the checks on it.
"""

import re

from refusalbench_tasks.generators.kit.answers import alias_stands_in
from refusalbench_tasks.generators.kit.calls import prompt_of
from refusalbench_tasks.generators.kit.checks import format_problem
from refusalbench_tasks.generators.kit.model_text import ModelText, ModelTexts
from refusalbench_tasks.judging.ask import Form, Submission
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.replies.alias import answer_tokens

from .queries import tied_to_year
from .settings import PACKAGE

FORM = Form(
    "question",
    thinks=True,
    in_prose=True,
)
LONGEST_QUESTION = 40
LONGEST_ANSWER = 12
LONGEST_SUPPORT = 80
"""Words (our definition)."""


class SourcedQuestion(Submission, frozen=True):
    """A question with answer, support and other forms of the answer, and a query for a
    neighbouring subject.
    """

    question: ModelText
    """The question, which can be understood without the passage."""
    answer: ModelText
    """The shortest span of the passage that answers it, letter by letter."""
    support: ModelText
    """The sentence of the passage in which the answer stands, letter by letter."""
    aliases: ModelTexts
    """Other forms of the same answer; an empty list if there are none."""
    neighbour_query: ModelText
    """A search query for a neighbouring subject."""

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the answer in all its forms."""
        return (self.answer, *self.aliases)


def broken_checks(draft: SourcedQuestion, passage: str) -> list[str]:
    """Return the names of the checks that a draft breaks; the first one is the reason
    of its rejection.

    The question is one sentence with one question mark, at its end, without markup and
    without a year (a source must not be right or wrong by its day alone); it doesn't
    stand in the passage, because a page may hold questions, and whole replies, for
    whoever reads it. The support stands in the passage and the answer in the support,
    letter by letter, and the answer is no piece of a word or of a number there. The
    query for a neighbouring subject has less than half of the question's words.
    """
    text = " ".join(passage.split())
    question = draft.question.replace("？", "?")
    answer = draft.answer
    support = draft.support
    words = set(answer_tokens(question))
    near = set(answer_tokens(draft.neighbour_query))
    whole_words = rf"(?<![\w.,]){re.escape(answer)}(?!\w|[.,]\d)"
    stands = answer_tokens(answer) and re.search(whole_words, support)
    one_question = (
        question.count("?") == 1
        and question.endswith("?")
        and len(question.split()) <= LONGEST_QUESTION
        and not format_problem(question)
        and not tied_to_year(question)
    )
    in_passage = support and support in text
    sound = {
        "not_one_question": one_question,
        "copied": draft.question.lower() not in text.lower(),
        "support_not_in_passage": (
            in_passage and len(support.split()) <= LONGEST_SUPPORT
        ),
        "answer_not_in_support": stands and len(answer.split()) <= LONGEST_ANSWER,
        "answer_in_question": not alias_stands_in(draft.answers, question),
        "neighbour_too_near": near and len(words & near) * 2 < len(words),
    }
    return [name for name, holds in sound.items() if not holds]


def question_prompt(
    topic: str,
    title: str,
    passage: str,
) -> str:
    """Return the writer's prompt for a gold passage."""
    parts = {
        "TOPIC": topic.replace("_", " "),
        "TITLE": title,
        "PASSAGE": passage,
    }
    return prompt_of(
        PACKAGE,
        "question.txt",
        SourcedQuestion,
        FORM,
        material(parts),
    )
