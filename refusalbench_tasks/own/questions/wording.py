"""Words by which a question leans on something that its reader does not see (English)."""

import re

_TEXT = "documents?|passages?|texts?|excerpts?|paragraphs?|snippets?|contexts?|extracts?|chunks?"
_PART = "sections?|articles?|chapters?|pages?|tables?|figures?|lists?|author|writer|heading|appendix|guide|manual"
_NUMBERED = r"(?!\s+(?:of\b|on\b|for\b|in\b|to\b|about\b|\d|[A-Z]\b))"
_SHOWN = "above|below|following|given|provided|preceding|previous"
_SPEAKS = re.compile(
    rf"\b(?:this|these|the (?:{_SHOWN})) (?:\w+ )?(?:{_TEXT}|{_PART})\b"
    rf"|\bthe (?:{_TEXT}|{_PART})\b{_NUMBERED}"
    rf"|\baccording to (?:the|this|these|that|what|it)\b"
    rf"|\bas (?:stated|mentioned|described|noted|shown|listed)(?! (?:in|by) [A-Z])"
    rf"|\b(?:mentioned|described|stated|listed|shown|discussed|given) (?:here|above|below|in (?:the|this))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:he|him|his|she|hers?|it|its|they|them|their|theirs)\b", re.IGNORECASE)
_SHOWING = re.compile(
    r"\b(?:this|these|those|said)\b(?! (?:who|that|which|of|with|in|year|month|week)\b)", re.IGNORECASE
)
_EMPTY_IT = re.compile(
    r"\bit (?:take|takes|took|cost|costs|possible|necessary|allowed|forbidden|required|recommended)\b.*?\b(?:to|for)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<=\s)[A-Z0-9]\w*|(?:\b(?:the|an?|each|every|all|most|some|no)\b|'s\b)\s+(?!\w*\b(?:he|it|they)\b)\w{3,}"
)


def words_on_the_text(question: str) -> str:
    """Return the first words of a question that speak of a text which its reader does not see; empty if there are none.

    "According to the passage", "this document", "the table"; not "the table of tides" or "Article 5".
    """
    found = _SPEAKS.search(" ".join(question.split()))
    return found[0] if found else ""


def bare_pronoun(question: str) -> str:
    """Return the first pronoun of a question that stands for nothing in it; empty if there is none.

    A pronoun may stand for what is named before it: by a name, a number, or a noun with an article. An "it" that stands
    for nothing ("does it cost to") is none.
    """
    text = " ".join(question.split())
    empty = {found.start() for found in _EMPTY_IT.finditer(text)}
    for found in _PRONOUN.finditer(text):
        if found.start() not in empty and not _NAMED.search(text[: found.start()]):
            return found[0]
    showing = _SHOWING.search(text)
    return showing[0] if showing else ""
