"""Rules on what follows by arithmetic: parts and totals, two units of one measure, and an answer that comes back."""

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from statistics import fmean, median

from refusalbench_tasks.generators.answer_rules import answer_must_go
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import sentences_new
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.target_rules import allowed
from refusalbench_tasks.generators.values import (
    GRAMS_OF_A_POUND,
    YEARS,
    answer_values,
    is_near,
    is_year,
    plain_numbers,
    shares_in,
    year_of,
)
from refusalbench_tasks.taxonomy import Intensity

_TOTAL = re.compile(r"\b(?:in all|in total|altogether|a total of|all told)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_RELATED = re.compile(
    r"\b(?:more|fewer|less|later|earlier|after|before|older|younger|ago|aged?|above|below|further|another|"
    r"remaining|rest|other|others|plus|besides|together|of (?:them|whom|which)|longer|shorter|taller|higher|"
    r"lower|anniversary|birthday|year of)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\b(?:twice|double|thrice|treble|half)\b", re.IGNORECASE)
_MULTIPLES = {"twice": 2.0, "double": 2.0, "thrice": 3.0, "treble": 3.0, "half": 0.5}
_ASKS_SPAN = re.compile(r"\bhow (?:old|long|many years)\b|\bage\b", re.IGNORECASE)
_SMALLEST_SUM = 12
"""Small counts meet by chance too often."""
_PARTS_BEHIND = re.compile(
    r"(?<![\w,.])(?P<total>\d[\d,.]*)(?: [a-z][\w'’-]*){1,6} "
    r"\((?P<parts>\d[\d,.]*(?: [a-z][\w'’-]*)+(?:, (?:and )?| and )[^()]*)\)"
)
"""A number of things and, in brackets behind them, how many there are of each."""
_PART = re.compile(r"(?P<number>\d[\d,.]*)(?: [a-z][\w'’-]*)+")
_SOME = re.compile(r"\b(?:among|including|at least|about|over|than|each|per|by|others?|rest)\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:each|per|every|apiece|a piece)\b", re.IGNORECASE)
_ROUND = 20
"""From which number on a number in words is taken for a figure."""
_SMALLEST_PRODUCT = 100
_FEWEST = 3


def figures_disagree(case: Case) -> str | None:
    """At LOW what is added must agree: a measure in two units, and parts with the total that is said to be theirs."""
    if case.slot.intensity is not Intensity.LOW:
        return None
    for k in case.rewritten:
        for text in sentences_new(case, k):
            tokens = typed_tokens(text)
            for one, two in pairwise(tokens):
                if two.apart and _two_units_differ(one, two):
                    return f"{one.raw} and {two.raw} are not the same measure."
            if (_TOTAL.search(text) and _parts_differ(case, tokens)) or _brackets_differ(text):
                return "The parts do not add up to the total that the text gives."
    return None


def _brackets_differ(text: str) -> bool:
    """Whether counts that are listed in brackets, right behind what is counted, have another sum."""
    for found in _PARTS_BEHIND.finditer(text):
        parts = [_PART.fullmatch(one) for one in re.split(r", (?:and )?| and ", found["parts"])]
        numbers = plain_numbers([one["number"] for one in parts if one])
        total = plain_numbers([found["total"]])
        told = len(numbers) == len(parts) and len(total) == 1 and not _SOME.search(found["parts"])
        if told and max(numbers) < total[0] != sum(numbers):
            return True
    return False


def _two_units_differ(one: Token, two: Token) -> bool:
    """Whether two quantities, the second in brackets behind the first, are of one kind and not of one size."""
    if one.kind != "quantity" or two.kind != "quantity":
        return False
    sizes = [
        GRAMS_OF_A_POUND * each.size if (each.unit, other.unit) == ("pound", "mass") else each.size
        for each, other in ((one, two), (two, one))
    ]
    kinds = {
        "mass" if (each.unit, other.unit) == ("pound", "mass") else each.unit
        for each, other in ((one, two), (two, one))
    }
    return len(kinds) == 1 and one.raw.split()[-1] != two.raw.split()[-1] and not is_near(*sizes)


def _parts_differ(case: Case, tokens: Sequence[Token]) -> bool:
    """Whether a sentence that gives the answer as a total has parts of another sum; "the three schools" is no part."""
    counts = [one for one in tokens if one.kind in ("number", "quantity") and not is_year(one)]
    numbers = [one.number for one in counts if one.raw[:1].isdigit() or one.number >= _ROUND]
    answers = {one.number for text in case.base.answers for one in typed_tokens(text, True) if one.kind != "word"}
    total = answers & set(numbers)
    parts = [one for one in numbers if one not in answers]
    return len(total) == 1 and len(parts) > 1 and max(parts) < max(total) and sum(parts) != max(total)


def answer_computable(case: Case) -> str | None:
    """Where the answer must be gone, no sum, mean, rate, difference or odds that were added may give it back."""
    if not answer_must_go(case):
        return None
    wanted = {one.number for one in answer_values(case) if one.kind in ("number", "quantity")}
    shares = {one.number for one in answer_values(case) if one.unit == "share"}
    shares |= {100 * one.number for one in answer_values(case) if one.kind == "number" and 0 < one.number < 1}
    texts = [k for k in case.rewritten if not case.slot.multi or k in allowed(case)]
    for k in texts:
        every = plain_numbers([case.candidate.passages[k]])
        for text in sentences_new(case, k):
            listed = plain_numbers([text])
            made = _summaries(case.base.query, listed)
            if _EACH.search(text):
                made |= {one * two for one, two in combinations(every, 2) if one * two >= _SMALLEST_PRODUCT}
            made |= _differences(case, text)
            if made & wanted or any(is_near(one, two) for one in _shares(case, text) for two in shares):
                return "The answer follows by a sum, a mean, a rate or odds from what the text gives."
    return None


def _shares(case: Case, text: str) -> list[float]:
    """Return the shares of a sentence on what is asked."""
    if not content_words(case.base.query) & content_words(text):
        return []
    return shares_in(text) + [one.number for one in typed_tokens(text) if one.unit == "share"]


def _differences(case: Case, text: str) -> set[float]:
    """Return what follows from two numbers of a sentence that says how one lies to the other ("four years later")."""
    numbers = [one.number for one in typed_tokens(text) if one.kind in ("number", "quantity")]
    numbers += [float(year) for one in typed_tokens(text) if one.kind == "date" and (year := year_of(one))]
    years = [one for one in numbers if one in YEARS]
    made: set[float] = set()
    if _RELATED.search(text):
        pairs = combinations(numbers, 2)
        made = {value for one, two in pairs for value in (one + two, abs(one - two)) if value >= _SMALLEST_SUM}
    if _TIMES.search(text):
        made |= {
            one * times for one in numbers for word, times in _MULTIPLES.items() if word in text.casefold().split()
        }
    if _ASKS_SPAN.search(case.base.query):
        made |= {abs(one - two) for one, two in combinations(years, 2) if one != two}
    return made


def _summaries(question: str, listed: Sequence[float]) -> set[float]:
    """Return the sum of three numbers or more, and the mean or the median of them if the question asks for it."""
    if len(listed) < _FEWEST:
        return set()
    means = {fmean(listed)} if _MEAN.search(question) else set()
    medians = {float(median(listed))} if "median" in question.casefold() else set()
    return {sum(listed)} | means | medians
