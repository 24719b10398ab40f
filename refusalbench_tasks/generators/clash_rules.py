"""Rules on what is said beside the answer: whether it is another value at all, and whether anything is left open."""

import re

from refusalbench_tasks.generators.asked_for import asked_for
from refusalbench_tasks.generators.asked_measure import measures_asked
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new
from refusalbench_tasks.generators.kit.text.answer_places import counted_at
from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content, sign
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.said_otherwise import said_otherwise
from refusalbench_tasks.generators.text_names import names_in
from refusalbench_tasks.generators.values import (
    answer_values,
    is_near,
    is_year,
    one_value,
    values_like,
    without_pronouns,
    year_of,
)
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_SETTLED = re.compile(
    r"\b(?:misprint(?:ed|s)?|misprinting|printing error|erratum|errata|hereby corrected|since (?:been )?corrected|"
    r"wrongly|mistakenly|erroneous(?:ly)?|incorrect(?:ly)?|inaccurate(?:ly)?|by mistake|in error|"
    r"(?:is|was|were|are|be|been) (?:\w+ )?(?:wrong|mistaken|untrue|a mistake|an error|a slip|retracted|disproved|"
    r"refuted|corrected)|slip of the pen|(?:clerical|typing|copying) error|misread(?:ing)?|debunked|discredited|"
    r"(?:agree|accept|know|hold)\w* (?:today |now )?that \S+(?: \S+){0,4} (?:is|was|are|were) (?:right|correct|true)|"
    r"disproven|"
    r"(?:proved|proven|turned out)(?: to be)? (?:wrong|false|mistaken))\b",
    re.IGNORECASE,
)
_UNSETTLED = re.compile(r"\b(?:not|never|no|none|neither|nor|nobody|without)\b|n['’]t\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|only)\b|n['’]t\b", re.IGNORECASE
)
_VAGUE = re.compile(
    r"\b(?:hundreds|thousands|millions|dozens|scores|several|few|many|most|half|twice|double|thrice|couple|all|"
    r"(?:same|next|previous|following) (?:year|day|month|week|night|morning)|"
    r"(?:year|day|month|week|eve) (?:before|after)|(?:that|this) (?:year|day|month|week|night|morning|spring|summer|"
    r"autumn|winter|opening|occasion))\b",
    re.IGNORECASE,
)
"""Words that give a rival value without a number."""
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
    passages, since its readings lead to different answers. Where the passages stay it must stand in a sentence on what
    is asked; where one more thing is named in them, it may be that of which nothing is known.
    """
    changed = case.rewritten or case.query_says_more
    if case.slot.intensity is Intensity.LOW or case.keeps_answer != "yes" or not changed:
        return None
    answers = answer_values(case)
    if not answers or any(not typed for typed in _all_typed(case)):
        return None
    if case.slot.perturbation is PerturbationClass.CONTRADICTION:
        new = all_new(case)
        forms = [form for text in new for form in (text, *said_otherwise(text))]
        other = any(one.kind != "word" for text in forms for one in typed_tokens(text))
        other = other or any(_DENIED.search(one) or _VAGUE.search(one) for one in new)
    elif case.slot.perturbation is PerturbationClass.AMBIGUITY:
        asked = content_words(case.candidate.query)
        texts = [one for text in case.candidate.passages for one in sentences(text)]
        told = [one for one in texts if case.rewritten or asked & content_words(one)]
        values = [(one, text) for text in told for one in without_pronouns(typed_tokens(text))]
        rivals = [one for one, text in values for answer in answers if _may_rival(answer, one, text)]
        other = any(not any(one_value(answer, one) for answer in answers) for one in rivals) or _names_one_more(case)
    else:
        return None
    return None if other else "There is no second value beside the original answer."


def answer_disputed(case: Case) -> str | None:
    """At LOW of Contradiction nothing may give another value for what is asked, as firmly as the first.

    For dates and measures, in a sentence that has most words of the question, or where a source speaks of "it"; for
    measures also right behind the word of the question by which the answer was told; for
    counts of the same thing and for persons in the first case alone. A worthless source may say what it likes, and a
    round figure is no other one.
    """
    low = case.slot.perturbation is PerturbationClass.CONTRADICTION and case.slot.intensity is Intensity.LOW
    if not low or (case.lever and case.lever.disputes_answer):
        return None
    asked = content_words(case.base.query)
    for text in all_new(case):
        about = len(asked & content_words(text)) >= _MOST * len(asked)
        other = _has_other_value(case, text) and (about or _says_it_of_subject(case, text))
        other = other or measures_asked(case, text)
        if other or (about and (_counts_other(case, text) or _names_another(case, text))):
            return "What is added gives another value for what is asked; at LOW only side details may clash."
    return None


def _has_other_value(case: Case, text: str) -> bool:
    every = answer_values(case)
    years = all(one.kind == "date" or is_year(one) for one in every)  # "1986" beside "1,986" is no year
    answers = [one for one in every if one.kind in ("date", "quantity") or (years and is_year(one))]
    values = values_like(answers, [text])
    known = any(one_value(answer, one) or _is_about(answer, one) for answer in answers for one in values)
    return bool(values) and not known


def _counts_other(case: Case, text: str) -> bool:
    """Whether a sentence counts what the answer counts, and comes to another number."""
    answers = [one for one in answer_values(case) if one.kind == "number" and not is_year(one)]
    before = [pair for passage in case.base.passages for pair in _counts(passage)]
    things = {thing for number, thing in before if any(one_value(answer, number) for answer in answers)}
    rivals = [number for number, thing in _counts(text) if thing in things]
    known = any(one_value(answer, one) or _is_about(answer, one) for answer in answers for one in rivals)
    return bool(rivals) and not known


def _counts(text: str) -> list[tuple[Token, str]]:
    """Return the numbers of a text that count something, each with that."""
    tokens = typed_tokens(text)
    numbers = [at for at, token in enumerate(tokens) if token.kind == "number" and not is_year(token)]
    return [(tokens[at], counted.form) for at in numbers if (counted := counted_at(tokens, at))]


def _names_another(case: Case, text: str) -> bool:
    """Whether a sentence names a person whom nothing named before, where the question asks for one."""
    if asked_for(case.base.query) != "person" or case.asked.given_in([text]):
        return False
    known = {token.form for one in (case.base.query, *case.base.passages) for token in typed_tokens(one)}
    return any(all(token.form not in known for token in typed_tokens(name)) for name in names_in(text))


def _says_it_of_subject(case: Case, text: str) -> bool:
    """Whether a source says of "it" what the question asks of what it names, word for word ("opened to traffic")."""
    question = typed_tokens(case.base.query)
    names = [at for at, token in enumerate(question) if token.is_name and not token.opens]
    said = frozenset(sign(token) for token in question[names[-1] + 1 :] if is_content(token)) if names else frozenset()
    return bool(said) and said <= content_words(text) and _SAYS_OF_IT.search(text) is not None


def _names_one_more(case: Case) -> bool:
    """Whether the passages name something that neither they nor the question named before."""
    known = {token.form for text in (case.base.query, *case.base.passages) for token in typed_tokens(text)}
    new = [token for text in all_new(case) for token in typed_tokens(text) if token.is_name and not token.opens]
    return any(token.form not in known for token in new)


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
