"""Refusals that can be told by their words alone."""

import re

from refusalbench_tasks.outcome import Protocol

_APOSTROPHES = str.maketrans("’‘ʼ", "'''")
_REFUSAL = re.compile(
    r"""
    (?:sorry,?\ )?(?:but\ )?(?:i\ am\ sorry,?\ (?:but\ )?)?
    (?:
        i\ (?:(?:simply|just|honestly)\ )?(?:don't|dont|do\ not)\ know(?:\ the\ answer)?
        | i(?:'m|\ am)\ (?:not\ sure|unsure)
        | i(?:'m|\ am)\ (?:not\ able|unable)\ to\ (?:answer|say)
        | i\ (?:cannot|can't|can\ not|could\ not|couldn't)\ (?:answer|say|tell)
        | unknown
        | no\ answer
        | not\ answerable
        | unanswerable
        | n/a
        | cannot\ answer
        | refused?\ to\ answer
    )
    (?:\ (?:this|that|the|your)(?:\ question)?|\ it)?
    (?:
        ,?\ (?:(?:based|going)\ (?:up)?on|from|given|using|with|by|according\ to)
        \ (?:only\ )?(?:the|these|those)(?:\ \w+)?
        \ (?:sources?|information|context|material|passages?|documents?)
        (?:\ (?:provided|given|above|alone))?
    )?
    \W*
    """,
    re.VERBOSE,
)
_OFFICIAL = "i don't know"
_REASON = re.compile(
    r"""
    \b(?:
        sources?
        | passages?
        | information
        | context
        | documents?
        | texts?
        | materials?
        | evidence
        | data
        | pages?
        | articles?
        | questions?
    )\b
    | \b(?:
        certain
        | confiden
        | reliab
        | unreliab
        | conflict
        | disagree
        | contradict
        | unclear
        | insufficient
        | vague
        | ambigu
    )
    """,
    re.VERBOSE,
)
_TURN = re.compile(
    r"""
    \b(?:
        still
        | but
        | however
        | yet
        | that\ said
        | nevertheless
        | nonetheless
        | even\ so
        | anyway
        | though
        | although
        | probably
        | likely
        | perhaps
        | may
        | might
        | guess
        | best
        | answer
    )\b
    """,
    re.VERBOSE,
)


def may_still_answer(explanation: str) -> bool:
    """Whether what follows a refusal may answer after all, so that a reader has to
    tell.

    False only if every sentence speaks of sources, evidence or certainty and none turns
    round ("still", "but", "probably"): then it gives the reasons of the refusal. Never
    raises.
    """
    for sentence in re.split(r"[.!?\n]+", explanation.lower()):
        gives_reason = _REASON.search(sentence) and not _TURN.search(sentence)
        if re.search(r"\w", sentence) and not gives_reason:
            return True
    return False


def has_refusal_phrase(text: str) -> bool:
    """Whether the literal phrase of the released evaluator, with a straight apostrophe,
    occurs anywhere in a text.
    """
    return _OFFICIAL in text.lower()


def is_plain_refusal(answer: str, protocol: Protocol = "paper") -> bool:
    """Whether an answer line is a refusal by its words alone; False means "a reader has
    to tell".

    The whole line must decline ("I don't know", with either apostrophe, "I do not
    know.", "I cannot answer this from the given sources"); a line that says more is
    left to the grader. With `official-code`: `has_refusal_phrase`. Never raises.
    """
    if protocol == "official-code":
        return has_refusal_phrase(answer)
    plain = answer.translate(_APOSTROPHES).lower().strip("*_`\"'“”.!… \t\n")
    return _REFUSAL.fullmatch(re.sub(r"\s+", " ", plain)) is not None
