"""Rules on what is said beside the answer: whether it is another value at all, and whether anything is left open."""

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from statistics import fmean, median

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.target_rules import allowed
from refusalbench_tasks.replies.answer_places import is_denied
from refusalbench_tasks.replies.answer_spans import same
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.replies.typed_tokens import Token, typed_tokens
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_SETTLED = re.compile(
    r"\b(?:misprint(?:ed|s)?|misprinting|printing error|erratum|errata|hereby corrected|since (?:been )?corrected)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(r"\bif\b[^,;.?]*?\b(?:ever|at all|any(?:thing|one|body)?|indeed)\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:in all|in total|altogether|a total of|all told)\b", re.IGNORECASE)
_GRAMS = 453.59237
"""Grams of a pound, which is a currency too: beside another mass it is none."""
_MEAN = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:each|per|every|apiece|a piece)\b", re.IGNORECASE)
_ROUND = 20
"""From which number on a number in words is taken for a figure."""
_YEARS = range(1000, 2101)
_SMALLEST_PRODUCT = 100
_FEWEST = 3
_OFF = 0.02
"""How far two statements of one measure may be off: they are rounded."""


def same_value_again(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction and Ambiguity a value that is added must differ from the answer.

    Only where the answer is a number, a date or a quantity, and what is new has no other value of its kind.
    """
    rival = (PerturbationClass.CONTRADICTION, PerturbationClass.AMBIGUITY)
    if case.slot.perturbation not in rival or case.slot.intensity is Intensity.LOW or case.keeps_answer != "yes":
        return None
    every = [one for text in case.base.answers for one in typed_tokens(text, True)]
    answers = [one for one in every if one.kind not in ("word", "time")]
    again = other = False
    for k in case.rewritten:
        before = [one for text in _sentences_left(case, k) for one in typed_tokens(text)]
        for tokens in map(typed_tokens, _sentences_new(case, k)):
            values = [at for at, one in enumerate(tokens) if any(_comparable(answer, one) for answer in answers)]
            if any(is_denied(tokens, at) for at in values):
                return None
            for token in (tokens[at] for at in values):
                equal = any(_one_value(answer, token) for answer in answers)
                known = any(same(token, one) for one in before)
                again, other = again or (equal and not known), other or not (equal or known)
    told = "The value that was added is the original answer once more; it must be another one."
    return told if again and not other else None


def clash_settled(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction no text may say which of two statements is the wrong one."""
    if case.slot.perturbation is not PerturbationClass.CONTRADICTION or case.slot.intensity is Intensity.LOW:
        return None
    pairs = ((case.base.passages[k], case.candidate.passages[k]) for k in case.rewritten)
    settled = any(_SETTLED.search(new) and not _SETTLED.search(old) for old, new in pairs)
    return "The text says itself which statement is wrong; leave that open." if settled else None


def premise_taken_back(case: Case) -> str | None:
    """At MEDIUM and HIGH of FalsePremise the question must assume its premise, not ask whether it holds."""
    if case.slot.perturbation is not PerturbationClass.FALSE_PREMISE or case.slot.intensity is Intensity.LOW:
        return None
    taken = _TAKEN_BACK.search(case.candidate.query) and not _TAKEN_BACK.search(case.base.query)
    return "The question takes its premise back ('if … ever', 'if any'); it must assume it." if taken else None


def figures_disagree(case: Case) -> str | None:
    """At LOW what is added must agree: a measure in two units, and parts with the total that is said to be theirs."""
    if case.slot.intensity is not Intensity.LOW:
        return None
    for k in case.rewritten:
        for text in _sentences_new(case, k):
            tokens = typed_tokens(text)
            for one, two in pairwise(tokens):
                if two.apart and _two_units_differ(one, two):
                    return f"{one.raw} and {two.raw} are not the same measure."
            if _TOTAL.search(text) and _parts_differ(case, tokens):
                return "The parts do not add up to the total that the text gives."
    return None


def _two_units_differ(one: Token, two: Token) -> bool:
    """Whether two quantities, the second in brackets behind the first, are of one kind and not of one size."""
    if one.kind != "quantity" or two.kind != "quantity":
        return False
    sizes = [
        _GRAMS * each.size if (each.unit, other.unit) == ("pound", "mass") else each.size
        for each, other in ((one, two), (two, one))
    ]
    kinds = {
        "mass" if (each.unit, other.unit) == ("pound", "mass") else each.unit
        for each, other in ((one, two), (two, one))
    }
    return len(kinds) == 1 and one.raw.split()[-1] != two.raw.split()[-1] and not _near(*sizes)


def _parts_differ(case: Case, tokens: Sequence[Token]) -> bool:
    """Whether a sentence that gives the answer as a total has parts of another sum; "the three schools" is no part."""
    counts = [one for one in tokens if one.kind in ("number", "quantity") and not _is_year(one)]
    numbers = [one.number for one in counts if one.raw[:1].isdigit() or one.number >= _ROUND]
    answers = {one.number for text in case.base.answers for one in typed_tokens(text, True) if one.kind != "word"}
    total = answers & set(numbers)
    parts = [one for one in numbers if one not in answers]
    return len(total) == 1 and len(parts) > 1 and max(parts) < max(total) and sum(parts) != max(total)


def answer_computable(case: Case) -> str | None:
    """Where the lever removes the answer, no sum, mean, median or rate that was added may give it back."""
    if case.keeps_answer != "no":
        return None
    wanted = {one.number for text in case.base.answers for one in typed_tokens(text, True) if one.kind == "number"}
    wanted |= {one.number for text in case.base.answers for one in typed_tokens(text, True) if one.kind == "quantity"}
    texts = [k for k in case.rewritten if not case.slot.multi or k in allowed(case)]
    for k in texts:
        every = _numbers([case.candidate.passages[k]])
        for text in _sentences_new(case, k):
            listed = _numbers([text])
            made = _summaries(case.base.query, listed)
            if _EACH.search(text):
                made |= {one * two for one, two in combinations(every, 2) if one * two >= _SMALLEST_PRODUCT}
            if made & wanted:
                return "The answer follows by a sum, a mean or a rate from what the text gives."
    return None


def _summaries(question: str, listed: Sequence[float]) -> set[float]:
    """Return the sum of three numbers or more, and the mean or the median of them if the question asks for it."""
    if len(listed) < _FEWEST:
        return set()
    means = {fmean(listed)} if _MEAN.search(question) else set()
    medians = {float(median(listed))} if "median" in question.casefold() else set()
    return {sum(listed)} | means | medians


def _numbers(texts: Sequence[str]) -> list[float]:
    tokens = [one for text in texts for one in typed_tokens(text)]
    plain = [one for one in tokens if one.kind == "quantity" or (one.kind == "number" and not _is_year(one))]
    return [one.number for one in plain]


def _is_year(token: Token) -> bool:
    return token.raw.isdigit() and int(token.raw) in _YEARS


def _sentences_new(case: Case, k: int) -> list[str]:
    known = set(sentences(case.base.passages[k]))
    return [one for one in sentences(case.candidate.passages[k]) if one not in known]


def _sentences_left(case: Case, k: int) -> list[str]:
    """Return the sentences of the original that were changed: what stands in them is no new value."""
    new = set(sentences(case.candidate.passages[k]))
    return [one for one in sentences(case.base.passages[k]) if one not in new]


def _comparable(answer: Token, token: Token) -> bool:
    if answer.kind == "quantity":
        return token.kind == "quantity" and token.unit == answer.unit
    if answer.kind == "date":
        return token.kind == "date" or _is_year(token)
    if answer.kind == "number":
        dated = token.kind == "date" and token.date is not None and token.date.year is not None
        return token.kind in ("number", "quantity") or (dated and int(answer.number) in _YEARS)
    return token.kind == answer.kind


def _one_value(answer: Token, token: Token) -> bool:
    """Whether a value is the answer, in whatever form; a conversion may be rounded to the digits that it has."""
    if same(answer, token):
        return True
    if answer.kind == token.kind == "quantity" and token.size and token.number:
        digits = len(token.form.partition(".")[2]) if token.form else 0
        return abs(answer.size / (token.size / token.number) - token.number) <= 0.5 * 10.0**-digits
    return False


def _near(one: float, two: float) -> bool:
    return abs(one - two) <= _OFF * max(abs(one), abs(two))
