"""What kind of thing the answer of a base question is, told by its aliases and the question's words."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from refusalbench_tasks.generators.kit.subject_words import has_word_of, subject_words
from refusalbench_tasks.generators.kit.text.calendar_dates import MONTH_NAMES
from refusalbench_tasks.generators.kit.text.number_words import ONES, TENS


class AnswerKind(StrEnum):
    """Kinds of answers; `CLAUSE` is whatever is too long for a thing."""

    CLOCK = "clock time"
    CLAUSE = "clause"
    COUNT = "count"
    DATE = "date"
    DURATION = "duration"
    MEASURE = "measure"
    MONEY = "money"
    ORGANISATION = "organisation"
    PERSON = "person"
    PLACE = "place"
    SHARE = "share"
    THING = "thing"
    YEAR = "year"


AMOUNTS = frozenset({AnswerKind.COUNT, AnswerKind.DURATION, AnswerKind.MEASURE, AnswerKind.MONEY, AnswerKind.SHARE})
_ONES, _TENS = (f"(?:{'|'.join(sorted(words, key=len, reverse=True))})" for words in (ONES, TENS))
NUMBER_WORDS = rf"(?:{_ONES}|{_TENS}(?:[- ]{_ONES})?|(?:a )?(?:dozen|hundred|thousand|million|half))"
"""A number in words, as a part of a pattern."""
_DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SCALE = r"(?:\s*(?:hundred|thousand|million|billion|trillion|m|bn)(?!\w))?"
_NUMBER = re.compile(rf"(?<!\w)(?:{_DIGITS}|{NUMBER_WORDS}){_SCALE}(?!\w)|{_DIGITS}(?=[a-z°%])", re.IGNORECASE)
_MONTHS = "|".join(MONTH_NAMES)
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
MONTH = re.compile(rf"\b(?:{_MONTHS})\b", re.IGNORECASE)
"""The name of a month."""
_DATE = re.compile(
    rf"\b(?:{_DAYS})\b|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\b"
    rf"|\b(?:{_MONTHS})\.?(?:\s+\d{{1,4}}(?:st|nd|rd|th)?\b|\s*$|,)|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b"
    r"|\b\d{3,4}0?s\b|\b\d{1,2}(?:st|nd|rd|th) century\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<![\d,.])(?:1\d|20)\d\d(?!\d|[.,]\d)")
"""A number that looks like a year from 1000 to 2099."""
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\s*(?:[ap]\.?m\b)?|\b\d{1,2}\s*[ap]\.?m\b|o'clock", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\b(?:cost|costs|price|prices|pay|paid|fee|fine|fined|toll|salary|budget|worth|sum of money)\b")
_WHEN = re.compile(r"\b(?:when|what (?:year|date|day|month)|which (?:year|date|day|month)|since when|how old)\b")
_NAME = re.compile(r"^(?:[A-Z][\w.'’-]*)(?:\s+(?:(?:van|von|de|der|da|di|of|the|la|al|bin)\s+)*[A-Z][\w.'’-]*){1,3}$")


def answer_kind(question: str, answers: Sequence[str]) -> AnswerKind:
    """Return the kind of the first alias. The question decides where the alias alone does not."""
    asked, answer = question.lower(), (answers[0] if answers else "").strip()
    if not answer:
        return AnswerKind.CLAUSE
    return _moment(asked, answer) or _amount(asked, answer) or _entity(asked, answer)


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text as they stand there, in digits or in words."""
    return [found[0] for found in _NUMBER.finditer(text)]


def _moment(asked: str, answer: str) -> AnswerKind | None:
    plain = answer.strip(" .")
    if "how many" in asked or len(plain) > 60:
        return None
    if _CLOCK.search(plain) and not has_word_of("unit", plain.lower()) and re.search(r"\b(?:when|time|hour)\b", asked):
        return AnswerKind.CLOCK
    if YEAR.fullmatch(plain) or (re.fullmatch(r"(?:in |since |about |c\. )\d{3,4}", plain) and _WHEN.search(asked)):
        return AnswerKind.YEAR
    if _DATE.search(plain) and not _names_more(plain):
        return AnswerKind.DATE
    return AnswerKind.YEAR if _WHEN.search(asked) and YEAR.search(plain) else None


def _names_more(plain: str) -> bool:
    """Whether a text has words with capital letters that belong to no date: "Theresa May", "June Carter Cash"."""
    words = re.findall(r"\b[A-Z][a-z]+\b", plain)
    return any(
        not re.fullmatch(rf"(?i:{_MONTHS}|{_DAYS}|in|on|the|about|circa|early|late|mid)", word) for word in words
    )


def _amount(asked: str, answer: str) -> AnswerKind | None:
    plain = answer.lower()
    found = _NUMBER.search(answer)
    if found is None or found.start() > 20 or len(answer) > 60 or re.match(r"(?:who|whom|whose|where)\b", asked):
        return None
    rest = re.sub(rf"^{_SCALE}\s*[-–]?\s*", "", plain[found.end() :])
    if re.match(r"%|per ?cent|percentage", rest):
        return AnswerKind.SHARE
    if re.search(r"[$€£¥]", plain) or has_word_of("money", rest):
        return AnswerKind.MONEY
    if "how many" in asked:
        return AnswerKind.COUNT
    unit = re.match(r"(?:(?:square|cubic)\s+)?([a-z°]+)", rest)
    if unit and _is_of("duration", unit[1]):
        return AnswerKind.DURATION
    if unit and (_is_of("unit", unit[1]) or rest.startswith(("°", '"'))):
        return AnswerKind.MEASURE
    if _HOW_MUCH.search(asked):
        return AnswerKind.MONEY
    alone = found.start() == 0 and len(rest.split()) <= 3
    return (
        AnswerKind.COUNT
        if alone and (not rest or re.search(r"\bhow\b|\b(?:number|average|mean|total)\b", asked))
        else None
    )


@cache
def _is_of(name: str, word: str) -> bool:
    return word in subject_words()[name] or word.removesuffix("s") in subject_words()[name]


def _entity(asked: str, answer: str) -> AnswerKind:
    head = " ".join(asked.split()[:7])
    which = re.search(
        r"\b(?:what|which)\s+(?:(?:was|is|were|are)\s+the\s+(?:name\s+of\s+the\s+)?)?((?:[\w'-]+\s+){0,2}[\w'-]+)",
        asked,
    )
    kind = which[1] if which else ""
    if re.search(r"\b(?:who|whom|whose)\b", head):
        body = has_word_of("body", answer.lower()) or has_word_of("firm", answer.lower())
        return AnswerKind.ORGANISATION if body else AnswerKind.PERSON
    if re.search(r"\bwhere\b", head) or _asks_for("place_asked", kind):
        return AnswerKind.PLACE
    if _asks_for("organisation_asked", kind):
        return AnswerKind.ORGANISATION
    if _asks_for("person_asked", kind) and _NAME.match(answer):
        return AnswerKind.PERSON
    short = len(answer.split()) <= 5 and not re.search(r"\b(?:was|were|is|had|has|because|to)\b", answer.lower())
    return AnswerKind.THING if short else AnswerKind.CLAUSE


def _asks_for(name: str, kind: str) -> bool:
    """Whether the noun that a "which" belongs to is of a list: the last of the first words before a verb."""
    words = re.split(r"\b(?:did|does|do|is|are|was|were|has|have|had|that|of|in|on|can|may)\b", kind)[0].split()
    return any(_is_of(name, word) for word in words)
