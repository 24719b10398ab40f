"""Rules on a question, decided before a reader is paid for: what breaks one is told to the writer, by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.generators.kit.betraying import betraying_phrases, labels
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.draft import QuestionDraft
from refusalbench_tasks.own.questions.kinds import Kind, kind_of
from refusalbench_tasks.own.questions.passage import span_of
from refusalbench_tasks.own.questions.same import nearly_same
from refusalbench_tasks.own.questions.wording import bare_pronoun, words_on_the_text
from refusalbench_tasks.replies.abstention import is_plain_refusal
from refusalbench_tasks.replies.alias import answer_tokens

LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_REASON, LONGEST_SUPPORT = 40, 12, 25, 80
"""Words of a question, an answer, an answer to "why" or "how", and a support (our definition)."""
LONGEST_WORDLESS = 120
"""Characters of an answer, for scripts that have no spaces."""


@dataclass(frozen=True)
class Drafted:
    """A draft, its chunk, the other questions of the chunk that are kept, and what kinds are wanted.

    `several` allows more than one question of a kind; no `wanted` allows any kind.
    """

    draft: QuestionDraft
    chunk: Chunk
    others: Sequence[QuestionDraft] = ()
    wanted: Sequence[Kind] = ()
    several: bool = False


def not_one_question(case: Drafted) -> str | None:
    """It is one sentence of a bearable length, with one question mark, at its end."""
    text = case.draft.question
    marks = sum(text.count(mark) for mark in "?？؟")
    if marks != 1 or text[-1] not in "?？؟":
        return "The question must be one sentence that ends with its only question mark."
    if len(text.split()) > LONGEST_QUESTION:
        return f"The question must have at most {LONGEST_QUESTION} words."
    return None


def speaks_of_text(case: Drafted) -> str | None:
    """It speaks of no passage, document or table."""
    found = words_on_the_text(case.draft.question)
    return f"The question must not speak of a text that its reader does not see: '{found}'." if found else None


def subject_unnamed(case: Drafted) -> str | None:
    """It names what it is about: no pronoun without a name before it, and a word of matter beside what is asked for."""
    found = bare_pronoun(case.draft.question)
    if found:
        return f"The question must name its subject instead of '{found}'."
    question = case.draft.question
    if question.isascii() and len(content_words(question)) < 2 and not any(c.isupper() for c in question[1:]):
        return "The question must name its subject."
    return None


def betrays_test(case: Drafted) -> str | None:
    """It has no words about codes, classes or tests."""
    found = labels(case.draft.question) | betraying_phrases(case.draft.question)
    return f"The question must not speak of codes or tests: '{min(found)}'." if found else None


def answer_not_in_passage(case: Drafted) -> str | None:
    """The answer stands in the chunk, letter by letter."""
    if span_of(case.chunk.text, case.draft.answer) is None:
        return "The answer must be copied from the passage letter by letter."
    return None


def support_not_in_passage(case: Drafted) -> str | None:
    """The support stands in the chunk, letter by letter."""
    if span_of(case.chunk.text, case.draft.support) is None:
        return "The support must be copied from the passage letter by letter."
    return None


def answer_not_in_support(case: Drafted) -> str | None:
    """The answer stands in the support."""
    if span_of(case.draft.support, case.draft.answer) is None:
        return "The answer must stand in the support."
    return None


def answer_in_question(case: Drafted) -> str | None:
    """Neither the answer nor another form of it stands in the question."""
    asked = f" {' '.join(answer_tokens(case.draft.question))} "
    for answer in (case.draft.answer, *case.draft.aliases):
        plain = " ".join(answer_tokens(answer))
        if (plain and f" {plain} " in asked) or Asked("", (answer,)).given_in((case.draft.question,)):
            return f"The question must not contain its answer: '{answer}'."
    return None


def answer_too_long(case: Drafted) -> str | None:
    """The answer is short, or a clause where a reason or a manner is asked for."""
    reason = kind_of(case.draft.question) in (Kind.WHY, Kind.HOW)
    most = LONGEST_REASON if reason else LONGEST_ANSWER
    if len(case.draft.answer.split()) > most or len(case.draft.answer) > LONGEST_WORDLESS * (1 + reason):
        return f"The answer must be the shortest span that answers: at most {most} words."
    return None


def answer_says_nothing(case: Drafted) -> str | None:
    """The answer has a word of matter, and does not read as a refusal ("unknown")."""
    if not answer_tokens(case.draft.answer) or is_plain_refusal(case.draft.answer):
        return "The answer must say something that a reply can be compared with."
    if case.draft.answer.isascii() and not content_words(case.draft.answer):
        return "The answer must be more than a word of grammar."
    return None


def support_too_long(case: Drafted) -> str | None:
    """The support is a sentence, not the passage."""
    if len(case.draft.support.split()) > LONGEST_SUPPORT:
        return f"The support must be the one sentence of the answer: at most {LONGEST_SUPPORT} words."
    return None


def repeats_another(case: Drafted) -> str | None:
    """No other question of the chunk asks the same."""
    for other in case.others:
        if nearly_same(case.draft.question, other.question):
            return f"The question must ask about another fact than '{other.question}'."
    return None


def kind_not_wanted(case: Drafted) -> str | None:
    """It asks for what the run asks for."""
    kind = kind_of(case.draft.question)
    if case.wanted and kind not in case.wanted:
        return f"The question must ask for one of: {', '.join(case.wanted)}."
    return None


def kind_over_quota(case: Drafted) -> str | None:
    """No other question of the chunk asks for the same kind of thing, as far as its words tell."""
    kind = kind_of(case.draft.question)
    if not case.several and kind is not Kind.OTHER and any(kind_of(other.question) is kind for other in case.others):
        return f"There is a question with '{kind}' already; ask for something of another kind."
    return None


Rule = Callable[[Drafted], str | None]
RULES: Mapping[str, Rule] = {
    rule.__name__: rule
    for rule in (
        not_one_question,
        speaks_of_text,
        subject_unnamed,
        betrays_test,
        answer_not_in_passage,
        support_not_in_passage,
        answer_not_in_support,
        answer_in_question,
        answer_too_long,
        answer_says_nothing,
        support_too_long,
        repeats_another,
        kind_not_wanted,
        kind_over_quota,
    )
}
"""Every rule by its name, in the order in which a report lists them."""


def check(case: Drafted) -> dict[str, str]:
    """Return the rules that a draft breaks, each with what is wrong in words for the writer; empty if it keeps all."""
    if not case.draft.question:
        return {"not_one_question": not_one_question.__doc__ or ""}
    return {name: problem for name, rule in RULES.items() if (problem := rule(case)) is not None}
