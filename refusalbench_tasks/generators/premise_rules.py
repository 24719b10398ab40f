"""Rules on what a question takes for granted: that it does, and that nothing bears it out."""

import re

from refusalbench_tasks.generators.asked_for import asked_for
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new_with_ground
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.marks import Mark, word_marks
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_TAKEN_BACK = re.compile(
    r"\bif\b[^,;.?]*?\b(?:ever|at all|any(?:thing|one|body)?|indeed|really|in fact)\b|\bif\s+(?:any|so)\b"
    r"|\bif\s+(?:it|he|she|they|there|this|that)\s+(?:ever\s+)?(?:did|does|do|was|were|is|are|had|has|have)\W*$"
    r"|\bwhether\b|\b(?:allegedly|supposed(?:ly)?|alleged|reportedly|so-called|in (?:truth|fact|reality)|non-?existent|"
    r"fictitious|fictional|imaginary|made-up|hypothetical(?:ly)?|falsely|untrue|mythical)\b"
    r"|\b(?:never|not|n['’]t)(?: \w+)? (?:exist\w*|happen\w*|occur\w*|(?:took|taken?) place)\b",
    re.IGNORECASE,
)
_DENIED_ASIDE = re.compile(
    r",\s*(?:which|who|whom|an? \w+ (?:that|which|who))\b[^,?]*\b(?:never|not)\b|"
    r"\b(?:although|though|despite|even though)\b[^?]*\b(?:never|not|no)\b|\bn['’]t\b[^?,]*,",
    re.IGNORECASE,
)
"""A clause that denies what the question assumes; an impossible thing (HIGH) may have one."""
_POLAR = re.compile(
    r"^\W*(?:did|do|does|was|were|is|are|has|have|had|can|could|will|would|is it true|was it)\b", re.IGNORECASE
)
_ASKING = re.compile(r"\b(?:who|whom|whose|when|where|why|how|which|what)\b", re.IGNORECASE)
_ENDED = re.compile(
    r"\b(?:die[ds]?|dying|dead|death|bur(?:y|ied|ial)|graves?|funeral|resign\w*|abdicat\w*|retir\w*|"
    r"step(?:s|ped|ping)? (?:down|aside))\b",
    re.IGNORECASE,
)
_DENYING = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|only|sole|solely|single|alone|instead|rather|"
    r"lack\w*|fail\w*|still|alive|lives?|living|den(?:y|ie)\w*|refus\w*|false|untrue|wrong|unlike|before|other|others|"
    r"different\w*|both|each|while|but|although|though|however|un\w{3,}|all|every|entirely|wholly|first|until|"
    r"continu\w*|remain\w*|to this day|today|now|endless\w*|infinite\w*)\b|n['’]t\b",
    re.IGNORECASE,
)


def premise_taken_back(case: Case) -> str | None:
    """At MEDIUM and HIGH of FalsePremise the question must assume its premise, not ask whether it holds."""
    if not _is_hard_premise(case):
        return None
    question = case.candidate.query
    taken = _TAKEN_BACK.search(question) and not _TAKEN_BACK.search(case.base.query)
    aside = case.slot.intensity is Intensity.MEDIUM and _DENIED_ASIDE.search(question)
    polar = _POLAR.match(question) and not _ASKING.search(question) and " or " not in question
    if not taken and not aside and not polar:
        return None
    return "The question asks whether its premise holds, or takes it back ('if … ever'); it must assume it."


def premise_confirmed(case: Case) -> str | None:
    """A sentence that is added at MEDIUM and HIGH of FalsePremise must not bear out what the question assumes.

    Told for deaths and for posts that were given up: the sentence says so, and has no word of denial.
    """
    if not _is_hard_premise(case) or not _ENDED.search(case.candidate.query):
        return None
    confirmed = any(_ENDED.search(one) and not _DENYING.search(one) for one in all_new_with_ground(case))
    return "The added sentence bears out what the question assumes; it must deny it." if confirmed else None


def premise_idle(case: Case) -> str | None:
    """At MEDIUM of FalsePremise the question must ask for more than the original one: else the answer still follows.

    It asks for the same if it has all its words of matter and its question word, and the answer still stands.
    """
    if case.slot.perturbation is not PerturbationClass.FALSE_PREMISE or case.slot.intensity is not Intensity.MEDIUM:
        return None
    old, new = case.base.query, case.candidate.query
    idle = content_words(old) <= content_words(new) and asked_for(old) == asked_for(new)
    # a second voyage is another voyage, though the question has all words of the first
    idle = idle and not word_marks()[Mark.ONCE_MORE].stands_in(_new_words(old, new))
    return "The premise changes nothing: the question still asks for the original answer." if idle else None


def _new_words(old: str, new: str) -> str:
    known = set(re.findall(r"\w+", old.casefold()))
    return " ".join(word for word in re.findall(r"\w+", new.casefold()) if word not in known)


def _is_hard_premise(case: Case) -> bool:
    return case.slot.perturbation is PerturbationClass.FALSE_PREMISE and case.slot.intensity is not Intensity.LOW
