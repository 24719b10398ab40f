"""Checks of a draft, before a reader is paid for: what fails one is told to the writer,
by the check's name.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.corpus.words import word_count
from refusalbench_tasks.generators.kit.answers import alias_stands_in, same_words
from refusalbench_tasks.generators.kit.checks import format_problem, label_problem
from refusalbench_tasks.own.documents.corpus import Chunk
from refusalbench_tasks.replies.abstention import is_plain_refusal

from .chunk_text import matter, span_of
from .draft import QuestionDraft

LONGEST_QUESTION = 40
LONGEST_ANSWER = 25
LONGEST_SUPPORT = 80
"""Words of a question, an answer and a support (our definition)."""
_MARKS = re.compile("[?？؟]")
NEAR = 0.8
"""The share of their words (Jaccard's) from which on two questions ask the same (our
definition).
"""


@dataclass(frozen=True)
class Drafted:
    """A draft, its chunk, and the other questions of the chunk that are kept."""

    draft: QuestionDraft
    chunk: Chunk
    others: Sequence[QuestionDraft] = ()

    @property
    def answerable(self) -> bool:
        """Whether the passage is to answer the question."""
        return self.draft.kind == "answerable"


def not_one_question(case: Drafted) -> str | None:
    """Return what is wrong with a question that is not one sentence of a bearable
    length with a question mark.
    """
    text = case.draft.question
    if len(_MARKS.findall(text)) != 1 or not _MARKS.match(text[-1]):
        return (
            "The question must be one sentence that ends with its only question mark."
        )
    if word_count(text) > LONGEST_QUESTION:
        return f"The question must have at most {LONGEST_QUESTION} words."
    return label_problem(text) or format_problem(text)


def support_not_in_passage(case: Drafted) -> str | None:
    """Return what is wrong with a support that is not copied from the chunk, or is more
    than a sentence.
    """
    if (
        case.draft.kind != "plainly outside"
        and span_of(case.chunk.text, case.draft.support) is None
    ):
        return "The support must be copied from the passage letter by letter."
    if word_count(case.draft.support) > LONGEST_SUPPORT:
        return f"The support must be one sentence: at most {LONGEST_SUPPORT} words."
    return None


def answer_not_in_support(case: Drafted) -> str | None:
    """Return what is wrong with an answer that is not in the support, or is there where
    nothing answers.
    """
    if case.draft.answer and not case.answerable:
        return "A question that the documents do not answer has no answer."
    if case.answerable and span_of(case.draft.support, case.draft.answer) is None:
        return "The answer must be copied letter by letter, and stand in the support."
    return None


def answer_given_away(case: Drafted) -> str | None:
    """Return what is wrong with a question that holds its answer, or another form of
    it.
    """
    forms = (case.draft.answer, *case.draft.aliases) if case.answerable else ()
    for answer in filter(None, forms):
        if alias_stands_in((answer,), case.draft.question):
            return f"The question must not contain its answer: '{answer}'."
    return None


def answer_unfit(case: Drafted) -> str | None:
    """Return what is wrong with an answer that is long, or that reads as a refusal
    ("unknown").
    """
    answer = case.draft.answer
    if not case.answerable:
        return None
    if word_count(answer) > LONGEST_ANSWER:
        return (
            "The answer must be the shortest span that answers: at most"
            f" {LONGEST_ANSWER} words."
        )
    if is_plain_refusal(answer) or not any(map(str.isalnum, answer)):
        return "The answer must say something that a reply can be compared with."
    return None


def repeats_another(case: Drafted) -> str | None:
    """Return what is wrong with a question that the chunk has already."""
    for other in case.others:
        if nearly_same(case.draft.question, other.question):
            return f"The question must ask about another fact than '{other.question}'."
    return None


def nearly_same(question: str, other: str) -> bool:
    """Return whether two questions have the same words, or nearly all words of matter
    in common.
    """
    if same_words(question, other):
        return True
    words = matter(question)
    others = matter(other)
    shared = len(words & others)
    return shared > 0 and shared >= NEAR * len(words | others)


CHECKS: dict[str, Callable[[Drafted], str | None]] = {
    "not_one_question": not_one_question,
    "support_not_in_passage": support_not_in_passage,
    "answer_not_in_support": answer_not_in_support,
    "answer_in_question": answer_given_away,
    "answer_unfit": answer_unfit,
    "repeats_another": repeats_another,
}
"""Every check, by name, in the order in which a report lists them."""
