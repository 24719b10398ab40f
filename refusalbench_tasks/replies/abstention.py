"""Refusals that can be told by their words alone."""

import re

from refusalbench_tasks.outcome import Protocol

_DECLINES = (
    r"(?:sorry,? )?(?:but )?(?:i am sorry,? (?:but )?)?"
    r"(?:i (?:(?:simply|just|honestly) )?(?:don't|dont|do not) know(?: the answer)?"
    r"|i(?:'m| am) (?:not sure|unsure|not able to (?:answer|say)|unable to"
    r" (?:answer|say))"
    r"|i (?:cannot|can't|can not|could not|couldn't) (?:answer|say|tell)"
    r"|(?:unknown|no answer|not answerable|unanswerable|n/a|cannot answer|refuse(?:d)?"
    r" to answer))"
)
_OBJECT = r"(?: (?:this|that|the|your)(?: question)?| it)?"
_GROUNDS = (
    r"(?:,? (?:(?:based|going) (?:up)?on|from|given|using|with|by|according to)"
    r" (?:only )?(?:the|these|those)(?: \w+)?"
    r" (?:sources?|information|context|material|passages?|documents?)"
    r"(?: (?:provided|given|above|alone))?)?"
)
_APOSTROPHES = str.maketrans("’‘ʼ", "'''")
_REFUSAL = re.compile(_DECLINES + _OBJECT + _GROUNDS + r"\W*")
_OFFICIAL = "i don't know"
_REASON = re.compile(
    r"\b(?:sources?|passages?|information|context|documents?|texts?|materials?|evidence|data|pages?|articles?|questions?)\b"
    r"|\b(?:certain|confiden|reliab|unreliab|conflict|disagree|contradict|unclear|insufficient|vague|ambigu)"
)
_TURN = re.compile(
    r"\b(?:still|but|however|yet|that said|nevertheless|nonetheless|even"
    r" so|anyway|though|although|probably|likely"
    r"|perhaps|may|might|guess|best|answer)\b"
)


def may_answer(explanation: str) -> bool:
    """Whether what follows a refusal may answer after all, so that a reader has to
    tell.

    False only if every sentence speaks of sources, evidence or certainty and none turns
    round ("still", "but", "probably"): then it gives the reasons of the refusal. Never
    raises.
    """
    sentences = (
        sentence.strip().lower() for sentence in re.split(r"[.!?\n]+", explanation)
    )
    with_words = [sentence for sentence in sentences if re.search(r"\w", sentence)]
    return any(
        _TURN.search(sentence) or not _REASON.search(sentence)
        for sentence in with_words
    )


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
