"""Marks of levers that are told by values: how far they are from the answer, and whether one is missing."""

import re
from collections.abc import Callable

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.generators.target_rules import allowed
from refusalbench_tasks.generators.values import (
    answer_values,
    is_near,
    is_year,
    one_value,
    plain_numbers,
    same_measure,
    shares_in,
    values_like,
    year_of,
)
from refusalbench_tasks.replies.sentences import sentences

_TENFOLD = 8
"""Ten times larger or smaller, with room for rounding ("some forty" beside 4.2)."""
_LOOSE = 0.25
"""How far a round figure may be from the exact one."""
_CROSSWISE = ({"celsius", "fahrenheit"}, {"mass", "pound"})
"""Kinds of unit that measure one thing."""
_FAR = 0.1
"""A converted measure that is nearer is the same one, rounded."""
_LATER = re.compile(
    r"\b(?:later|after\w*|years?|since|yesterday|today|now|still|following|months?|next|anniversary|birthday|alive|lives?|"
    r"living|this (?:morning|week|spring|summer|autumn|winter))\b",
    re.IGNORECASE,
)
_FEWEST = 3
_LIMIT = re.compile(
    r"\b(?P<side>more than|over|above|at least|exceed\w*|beyond|less than|fewer than|under|below|at most|up to)"
    r"(?P<bound>[^,;:.)]*)",
    re.IGNORECASE,
)
_UPWARD = re.compile(r"more|over|above|at least|exceed|beyond", re.IGNORECASE)
_COMPARATIVE = re.compile(
    r"\b(?:heavier|longer|older|taller|larger|bigger|higher|wider|deeper|faster|lighter|shorter|younger|smaller|lower|"
    r"narrower|cheaper|slower|nearer|dearer|thicker|thinner|farther|further|hotter|colder)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"lighter|shorter|younger|smaller|lower|narrower|cheaper|slower|nearer|thinner|colder", re.IGNORECASE
)


def _tenfold_value(case: Case) -> bool:
    pairs = [(abs(_size(a)), abs(_size(b))) for a, b in _pairs(case)]
    return not pairs or any(min(pair) * _TENFOLD <= max(pair) for pair in pairs)


def _value_in_other_unit(case: Case) -> bool:
    """Whether another measure is far off; a number of a unit that is not known may be."""
    answers = [one for one in answer_values(case) if one.kind == "quantity"]
    known = values_like(answers, all_new(case))
    if not answers or not known:
        return True
    measures = [one for text in all_new(case) for one in typed_tokens(text) if one.kind == "quantity"]
    if any({one.unit, answers[0].unit} in _CROSSWISE and not same_measure(answers[0], one) for one in measures):
        return True
    unknown = [one for text in all_new(case) for one in typed_tokens(text) if one.kind == "number"]
    return bool(unknown) or any(not is_near(answers[0].size, one.size, _FAR) for one in known)


def _other_date(case: Case) -> bool:
    """Whether a date that is not the answer is added, or anything else where the answer is no date."""
    answers = [one for one in answer_values(case) if year_of(one) is not None or one.kind == "date"]
    known = values_like(answers, all_new(case))
    return not answers or any(not any(one_value(answer, one) for answer in answers) for one in known)


def _near_value(case: Case) -> bool:
    """Whether a number that is added comes close to the answer, or the answer is none."""
    pairs = _pairs(case)
    return not pairs or any(is_near(_size(a), _size(b), _LOOSE) for a, b in pairs)


def _later_than_death(case: Case) -> bool:
    """Whether what is added has a year behind that of the death, or speaks of a later time in words."""
    deaths = [year for one in answer_values(case) if (year := year_of(one)) is not None]
    told = " ".join(all_new(case))
    years = [year for one in typed_tokens(told) if (year := year_of(one)) is not None]
    if not deaths or not years or _LATER.search(told):
        return True
    return max(years) >= min(deaths)


def _value_missing(case: Case) -> bool:
    """Whether not all values of a group stand in one sentence, where the question says how many the group has."""
    sizes = set(plain_numbers([case.candidate.query]))
    texts = [text for k, text in enumerate(case.candidate.passages) if not case.slot.multi or k in allowed(case)]
    listed = [len(_figures(one)) for text in texts for one in sentences(text)]
    return not any(count >= _FEWEST and count in sizes for count in listed)


def _no_odds_left(case: Case) -> bool:
    """Whether no share and no odds stand in a sentence on what is asked."""
    asked = content_words(case.candidate.query)
    texts = [text for k, text in enumerate(case.candidate.passages) if not case.slot.multi or k in allowed(case)]
    told = [one for text in texts for one in sentences(text) if asked & content_words(one)]
    shares = [one for text in told for one in typed_tokens(text) if one.unit == "share"]
    return not shares and not any(shares_in(text) for text in told)


def _threshold_fits(case: Case) -> bool:
    """Whether the figure beside the answer is on the side of the limit that the text gives, where both are given."""
    for text in all_new(case):
        limit = _LIMIT.search(text)
        bounds = [one.number for one in _figures(limit["bound"])] if limit else []
        value = _figure_of_answer(case, text)
        if limit and bounds and value is not None:
            fits = value >= bounds[0] if _UPWARD.match(limit["side"]) else value <= bounds[0]
            if not fits:
                return False
    return True


def _comparison_fits(case: Case) -> bool:
    """Whether the answer has the larger of two figures, or the smaller, as the question says."""
    asked = _COMPARATIVE.search(case.candidate.query)
    told = [one for k in sorted(case.changed) for one in sentences(case.candidate.passages[k])]
    values = [value for one in told if (value := _figure_of_answer(case, one)) is not None]
    every = {one.number for text in told for one in _figures(text) if one.kind == "quantity"}
    if not asked or len(values) != 1 or len(every) != 2 or values[0] not in every:
        return True
    wanted = min(every) if _DOWN.match(asked[0]) else max(every)
    return values[0] == wanted


def _figure_of_answer(case: Case, text: str) -> float | None:
    """Return the first figure behind an answer that stands in a sentence, before the next comma or name."""
    for answer in case.base.answers:
        _, found, behind = text.partition(answer)
        if found and (figures := _figures(re.split(r"[;,]", behind)[0])):
            return figures[0].number
    return None


def _figures(text: str) -> list[Token]:
    """Return the numbers of a text in digits that are no years: "the three schools" is no member of a list."""
    numbers = [one for one in typed_tokens(text) if one.kind in ("number", "quantity") and not is_year(one)]
    return [one for one in numbers if one.raw[:1].isdigit()]


def _pairs(case: Case) -> list[tuple[Token, Token]]:
    """Return the values of the answer, each with one of its kind that is added and differs from it."""
    answers = [one for one in answer_values(case) if one.kind in ("number", "quantity")]
    new = [one for text in all_new(case) for one in typed_tokens(text)]
    return [
        (answer, one)
        for answer in answers
        for one in new
        if one.kind == answer.kind and one.unit == answer.unit and not one_value(answer, one)
    ]


def _size(token: Token) -> float:
    return token.size or token.number


VALUE_MARKS: dict[Mark, tuple[Callable[[Case], bool], str]] = {
    Mark.COMPARISON_FITS: (_comparison_fits, "figures by which the answer is right"),
    Mark.LATER_THAN_DEATH: (_later_than_death, "a date behind that of the death"),
    Mark.NEAR_VALUE: (_near_value, "a round figure that is close to the exact one"),
    Mark.NO_ODDS_LEFT: (_no_odds_left, "passages without odds or shares"),
    Mark.OTHER_DATE: (_other_date, "another date"),
    Mark.TENFOLD_VALUE: (_tenfold_value, "a figure ten times larger or smaller"),
    Mark.THRESHOLD_FITS: (_threshold_fits, "a figure of the answer on the right side of the limit"),
    Mark.VALUE_IN_OTHER_UNIT: (_value_in_other_unit, "a measure that conversion shows to be far off"),
    Mark.VALUE_MISSING: (_value_missing, "a value of the group that is not given"),
}
"""How each of these marks is told, and what it is in words."""
