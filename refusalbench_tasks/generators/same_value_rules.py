"""The rule that a rival value is another one: not the answer once more, in whatever form."""

import re
from collections.abc import Sequence
from itertools import pairwise

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new, sentences_gone, sentences_new
from refusalbench_tasks.generators.kit.text.answer_places import is_denied
from refusalbench_tasks.generators.kit.text.answer_spans import same
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.said_otherwise import said_otherwise
from refusalbench_tasks.generators.values import (
    comparable,
    is_near,
    is_year,
    one_value,
    same_measure,
    shares_in,
    without_pronouns,
)
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_SHARE_OFF = 0.004
_ALIKE = re.compile(
    r"\b(?:(?:and|just as) so (?:was|were|is|are|did|does|do|had|has|have)|likewise|equally|the same (?:as|number|"
    r"figure|year|day|date|age|amount|sum|weight|length|height|price)|"
    r"as (?:many|much|old|long|heavy|tall|high|far|often|wide|deep) as)\b",
    re.IGNORECASE,
)
"""What gives somebody or something else the value that was just given."""
_DENIAL = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|forb\w+|prohibit\w*|ban(?:s|ned)?)\b|n['’]t\b",
    re.IGNORECASE,
)
_YEAR_BEFORE = frozenset(["in", "of", "since", "by", "from", "until", "till", "before", "after", "year", "for", "and"])


def same_value_again(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction and Ambiguity a value that is added must differ from the answer.

    Only where the answer is a number, a date, a time or a quantity, and what is new has no other value of its kind: the
    answer stands there more often than before, or something else is said to be alike. Or where it is a person's full
    name that stands there once more, with an initial, and no other name beside it.
    """
    rival = (PerturbationClass.CONTRADICTION, PerturbationClass.AMBIGUITY)
    if case.slot.perturbation not in rival or case.slot.intensity is Intensity.LOW or case.keeps_answer != "yes":
        return None
    every = [one for text in case.base.answers for one in typed_tokens(text, True)]
    answers = [one for one in every if one.kind != "word"]
    again = other = False
    for k in case.rewritten:
        before = [one for text in sentences_gone(case, k) for one in typed_tokens(text)]
        stood = sum(any(_equal(answer, one) for answer in answers) for one in before)
        for text in sentences_new(case, k):
            tokens = without_pronouns(_telling(answers, text))
            values = [at for at in range(len(tokens)) if _rivals(answers, tokens, at)]
            if any(is_denied(tokens, at) for at in values) or (values and _denies_more(case, k, text)):
                return None
            equal = [any(_equal(answer, tokens[at]) for answer in answers) for at in values]
            known = [any(same(tokens[at], one) for one in before) for at in values]
            stood -= sum(equal)
            alike = any(equal) and _ALIKE.search(text) is not None
            again = again or stood < 0 or alike or (not values and _is_share_again(answers, text))
            other = other or not all(one or two for one, two in zip(equal, known, strict=True))
    told = "The value that was added is the original answer once more; it must be another one."
    return told if (again and not other) or _only_initials_added(case) else None


def _denies_more(case: Case, k: int, text: str) -> bool:
    """Whether a new sentence of a contradiction denies something, and none that it replaces did."""
    if case.slot.perturbation is not PerturbationClass.CONTRADICTION:
        return False
    return bool(_DENIAL.search(text)) and not any(_DENIAL.search(one) for one in sentences_gone(case, k))


def _rivals(answers: Sequence[Token], tokens: Sequence[Token], at: int) -> bool:
    """Whether a value could be taken for an answer; "in 2015" is none where the answer is no year."""
    token = tokens[at]
    dated = is_year(token) and at > 0 and tokens[at - 1].form in _YEAR_BEFORE and not any(map(is_year, answers))
    plain = [one for one in answers if not (dated and one.kind == "number")]
    return any(_comparable(answer, token) for answer in plain)


def _telling(answers: Sequence[Token], text: str) -> Sequence[Token]:
    """Return the tokens of a sentence in the form in which it gives an answer ("half past six" as "6:30 pm")."""
    forms = [typed_tokens(one) for one in (text, *said_otherwise(text))] if answers else [typed_tokens(text)]
    return next((one for one in forms if any(_equal(answer, token) for answer in answers for token in one)), forms[0])


def _comparable(answer: Token, token: Token) -> bool:
    return comparable(answer, token) or {answer.unit, token.unit} in ({"celsius", "fahrenheit"}, {"mass", "pound"})


def _equal(answer: Token, token: Token) -> bool:
    return one_value(answer, token) or (answer.unit != token.unit and same_measure(answer, token))


def _is_share_again(answers: Sequence[Token], text: str) -> bool:
    """Whether a sentence gives a share as odds, and it is the answer: "one in four" beside 25 %."""
    wanted, told = [one.number for one in answers if one.unit == "share"], shares_in(text)
    return bool(wanted and told) and all(any(is_near(one, two, _SHARE_OFF) for two in wanted) for one in told)


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
