"""Rules on what is said beside the answer: whether it is another value at all, and whether anything is left open."""

import re
from itertools import pairwise

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new, sentences_gone, sentences_new
from refusalbench_tasks.generators.values import (
    answer_values,
    comparable,
    is_near,
    is_year,
    one_value,
    values_like,
    year_of,
)
from refusalbench_tasks.replies.answer_places import is_denied
from refusalbench_tasks.replies.answer_spans import same
from refusalbench_tasks.replies.content_words import content_words, is_content, sign
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.replies.typed_tokens import Token, typed_tokens
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_SETTLED = re.compile(
    r"\b(?:misprint(?:ed|s)?|misprinting|printing error|erratum|errata|hereby corrected|since (?:been )?corrected|"
    r"wrongly|mistakenly|erroneous(?:ly)?|incorrect(?:ly)?|inaccurate(?:ly)?|by mistake|in error|"
    r"(?:is|was|were|are|be|been) (?:\w+ )?(?:wrong|mistaken|untrue|a mistake|an error|a slip|retracted|disproved|"
    r"refuted|corrected)|(?:proved|proven|turned out)(?: to be)? (?:wrong|false|mistaken))\b",
    re.IGNORECASE,
)
_UNSETTLED = re.compile(r"\b(?:not|never|no|none|neither|nor|nobody|without)\b|n['’]t\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|only)\b|n['’]t\b", re.IGNORECASE
)
_SHIFTED = re.compile(r"\b(?:later|earlier|before|after\w*|ago|since|next|previous)\b", re.IGNORECASE)
_SAYS_OF_IT = re.compile(
    r"\b(?:says?|said|stat(?:es?|ed|ing)|claim\w*|reads?|record\w*|report\w*|insist\w*|maintain\w*|holds?|held|"
    r"not(?:es|ed|ing)|announc\w*|tells?|told|declar\w*|writ(?:es?|ten|ing)|wrote|show\w*|suggest\w*|assert\w*)"
    r"(?: \w+){0,3}? that (?:it|he|she|they)\b",
    re.IGNORECASE,
)
"""A source that speaks of what the passage is about."""
_MOST = 0.75
"""The share of the question's words with which a sentence speaks of what is asked."""
_ABOUT = 0.25
"""How far a round figure may be from the exact one."""


def same_value_again(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction and Ambiguity a value that is added must differ from the answer.

    Only where the answer is a number, a date or a quantity, and what is new has no other value of its kind; or where it
    is a person's full name that stands there once more, with an initial, and no other name beside it.
    """
    rival = (PerturbationClass.CONTRADICTION, PerturbationClass.AMBIGUITY)
    if case.slot.perturbation not in rival or case.slot.intensity is Intensity.LOW or case.keeps_answer != "yes":
        return None
    every = [one for text in case.base.answers for one in typed_tokens(text, True)]
    answers = [one for one in every if one.kind not in ("word", "time")]
    again = other = False
    for k in case.rewritten:
        before = [one for text in sentences_gone(case, k) for one in typed_tokens(text)]
        for tokens in map(typed_tokens, sentences_new(case, k)):
            values = [at for at, one in enumerate(tokens) if any(comparable(answer, one) for answer in answers)]
            if any(is_denied(tokens, at) for at in values):
                return None
            for token in (tokens[at] for at in values):
                equal = any(one_value(answer, token) for answer in answers)
                known = any(same(token, one) for one in before)
                again, other = again or (equal and not known), other or not (equal or known)
    told = "The value that was added is the original answer once more; it must be another one."
    return told if (again and not other) or _only_initials_added(case) else None


def _only_initials_added(case: Case) -> bool:
    """Whether "J. Kessler" came beside Johann Kessler, and nobody else who was not named in those sentences before."""
    gone = [one for k in case.rewritten for one in sentences_gone(case, k)]
    known = [token for text in (*gone, case.base.query, *case.base.answers) for token in typed_tokens(text)]
    new = [token for text in all_new(case) for token in typed_tokens(text) if token.is_name and not token.opens]
    others = {token.form for token in new} - {token.form for token in known}
    for name in (typed_tokens(answer, True) for answer in case.base.answers):
        if len(name) > 1 and all(token.is_name for token in name):
            initial, last = name[0].form[:1], name[-1].form
            added = any((one.form, two.form) == (initial, last) for one, two in pairwise(new)) and initial in others
            if added and others <= {initial}:
                return True
    return False


def clash_settled(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction no text may say which of two statements is the wrong one."""
    if case.slot.perturbation is not PerturbationClass.CONTRADICTION or case.slot.intensity is Intensity.LOW:
        return None
    before = "\n".join(case.base.passages)
    settled = any(
        found and found[0] not in before and not _UNSETTLED.search(one)
        for one in all_new(case)
        for found in [_SETTLED.search(one)]
    )
    return "The text says itself which statement is wrong; leave that open." if settled else None


def no_other_value(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction and Ambiguity there must be another value beside an answer that is one.

    A contradiction must add a number, a date or a denial; an ambiguity needs a second value of the answer's kind in the
    passages, since its readings lead to different answers.
    """
    if case.slot.intensity is Intensity.LOW or case.keeps_answer != "yes" or not case.rewritten:
        return None
    answers = answer_values(case)
    if not answers or any(not typed for typed in _all_typed(case)):
        return None
    if case.slot.perturbation is PerturbationClass.CONTRADICTION:
        new = all_new(case)
        other = any(one.kind != "word" for text in new for one in typed_tokens(text))
        other = other or any(_DENIED.search(one) for one in new)
    elif case.slot.perturbation is PerturbationClass.AMBIGUITY:
        told = [one for text in case.candidate.passages for one in sentences(text)]
        rivals = [one for text in told for one in typed_tokens(text) for a in answers if _may_rival(a, one, text)]
        other = any(not any(one_value(answer, one) for answer in answers) for one in rivals)
    else:
        return None
    return None if other else "There is no second value beside the original answer."


def answer_disputed(case: Case) -> str | None:
    """At LOW of Contradiction nothing may give another value for what is asked, as firmly as the first.

    Only for dates and measures, in a sentence that has most words of the question, or where a source speaks of "it". A
    worthless source may say what it likes, and a round figure is no other one.
    """
    low = case.slot.perturbation is PerturbationClass.CONTRADICTION and case.slot.intensity is Intensity.LOW
    answers = [one for one in answer_values(case) if one.kind in ("date", "quantity") or is_year(one)]
    if not low or not answers or (case.lever and case.lever.disputes_answer):
        return None
    asked = content_words(case.base.query)
    for text in all_new(case):
        values = values_like(answers, [text])
        other = values and not any(
            one_value(answer, one) or _is_about(answer, one) for answer in answers for one in values
        )
        if other and (len(asked & content_words(text)) >= _MOST * len(asked) or _says_it_of_subject(case, text)):
            return "What is added gives another value for what is asked; at LOW only side details may clash."
    return None


def _says_it_of_subject(case: Case, text: str) -> bool:
    """Whether a source says of "it" what the question asks of what it names, word for word ("opened to traffic")."""
    question = typed_tokens(case.base.query)
    names = [at for at, token in enumerate(question) if token.is_name and not token.opens]
    said = frozenset(sign(token) for token in question[names[-1] + 1 :] if is_content(token)) if names else frozenset()
    return bool(said) and said <= content_words(text) and _SAYS_OF_IT.search(text) is not None


def _is_about(answer: Token, token: Token) -> bool:
    if year_of(answer) is not None or answer.kind == "date":
        return False
    return is_near(answer.size or answer.number, token.size or token.number, _ABOUT)


def _all_typed(case: Case) -> list[bool]:
    """Return for each answer whether it is a number, a date or a quantity and one more word at most."""
    every = [typed_tokens(text, True) for text in case.base.answers]
    return [
        any(one.kind != "word" for one in tokens) and sum(one.kind == "word" and is_content(one) for one in tokens) < 2
        for tokens in every
    ]


def _may_rival(answer: Token, token: Token, sentence: str) -> bool:
    """Return whether a value could be another answer: a year, or "two years later", beside a year."""
    if year_of(answer) is not None or answer.kind == "date":
        shifted = token.unit in ("calendar", "time") and _SHIFTED.search(sentence) is not None
        return year_of(token) is not None or token.kind == "date" or shifted
    return token.kind in ("number", "quantity", "ordinal") and year_of(token) is None
