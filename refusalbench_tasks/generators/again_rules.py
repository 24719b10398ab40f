"""Rules on a clash that is none: the answer once more in other words, another thing, or a value merely exchanged."""

import re
from collections.abc import Sequence
from itertools import pairwise

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new, sentences_gone, sentences_new
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.generators.rewording import matched
from refusalbench_tasks.generators.said_otherwise import said_otherwise
from refusalbench_tasks.generators.target_rules import new_part
from refusalbench_tasks.generators.values import (
    comparable,
    day_of,
    is_near,
    one_value,
    same_measure,
    shares_in,
)
from refusalbench_tasks.replies.answer_places import is_denied
from refusalbench_tasks.replies.answer_spans import same
from refusalbench_tasks.replies.content_words import content_words
from refusalbench_tasks.replies.typed_tokens import Token, typed_tokens
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_SETS_AGAINST = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|only|sole(?:ly)?|alone|just|exclusively|purely|wholly|entirely|instead|rather|but|while|whereas|"
    r"although|though|however|different\w*|den(?:y|ie)\w*|refus\w*|reject\w*|false|wrong|before|after|until|later|"
    r"earlier|over|against|than|both|either|or|second|another|forb\w*|prohibit\w*|ban(?:ned|s)?|fail\w*|lack\w*|"
    r"ceas\w*|stop\w*|except|unless|if|and|with|plus|together|alongside|when|every|all|always|each|must|may|less|more|fewer|behind|beside|above|below|"
    r"inside|outside|under|opposite|beyond|near|far|away|as well|un\w{4,}|im\w{5,}|in fact|exchang\w*|replac\w*|"
    r"where|dead|died|alive|born|abolish\w*|close[ds]?|end(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)
_MOST_BESIDE = 4
"""Words of matter that a sentence which gives the answer again has beside it and the question."""
_TITLES = frozenset(
    [
        "mister",
        "mrs",
        "miss",
        "ms",
        "doctor",
        "sir",
        "lady",
        "lord",
        "professor",
        "prof",
        "captain",
        "dame",
        "master",
        "madam",
    ]
)
_SHARE_OFF = 0.004


def same_value_again(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction and Ambiguity a value that is added must differ from the answer.

    Only where the answer is a number, a date, a time or a quantity, and what is new has no other value of its kind; or
    where it is a person's full name that stands there once more, with an initial, and no other name beside it.
    """
    rival = (PerturbationClass.CONTRADICTION, PerturbationClass.AMBIGUITY)
    if case.slot.perturbation not in rival or case.slot.intensity is Intensity.LOW or case.keeps_answer != "yes":
        return None
    every = [one for text in case.base.answers for one in typed_tokens(text, True)]
    answers = [one for one in every if one.kind != "word"]
    again = other = False
    for k in case.rewritten:
        before = [one for text in sentences_gone(case, k) for one in typed_tokens(text)]
        for text in sentences_new(case, k):
            tokens = _telling(answers, text)
            values = [at for at, one in enumerate(tokens) if any(_comparable(answer, one) for answer in answers)]
            if any(is_denied(tokens, at) for at in values):
                return None
            for token in (tokens[at] for at in values):
                equal = any(_equal(answer, token) for answer in answers)
                known = any(same(token, one) for one in before)
                again, other = again or (equal and not known), other or not (equal or known)
            again = again or (not values and _is_share_again(answers, text))
    told = "The value that was added is the original answer once more; it must be another one."
    return told if (again and not other) or _only_initials_added(case) else None


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


def answer_again(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction what is added must not say the answer once more, in whatever words.

    Told for answers that are no value, where nothing was taken out, and each new sentence has all words of an answer,
    no name or value beside it, and nothing that sets one thing against another.
    """
    if not _must_clash(case) or not case.rewritten or any(sentences_gone(case, k) for k in case.rewritten):
        return None
    if any(one.kind != "word" for text in case.base.answers for one in typed_tokens(text, True)):
        return None
    swapped = case.lever is not None and Mark.ROLES_SWAPPED in case.lever.marks
    if swapped or any(content_words(answer) <= content_words(case.base.query) for answer in case.base.answers):
        return None  # one of two that the question names comes back in any clash
    again = all(_says_it_again(case, one) for one in all_new(case))
    return "What was added gives the original answer once more; it must clash with it." if again else None


def _says_it_again(case: Case, text: str) -> bool:
    given = case.asked.given_in([text]) or any(
        len(words) > 1 and matched(words, text) == len(words) for words in map(content_words, case.base.answers)
    )
    if not given or _SETS_AGAINST.search(text):
        return False
    own = content_words("\n".join((case.base.query, *case.base.answers)))
    known = {token.form for text in (case.base.query, *case.base.answers) for token in typed_tokens(text)}
    beside = [one for one in typed_tokens(text) if one.kind != "word" or (one.is_name and not one.opens)]
    others = [one for one in beside if one.form not in known | _TITLES and one.number not in (1, 2)]
    more = {word for word in content_words(text) - own if ":" not in word}
    return not others and len(more) <= _MOST_BESIDE


def clash_elsewhere(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction what is new must touch what is asked: a word of it, the answer, or a value.

    For one passage; of several `unrelated_change` asks more.
    """
    if not _must_clash(case) or case.slot.multi or not case.rewritten:
        return None
    asked = content_words(case.base.query)
    new = "\n".join(new_part(case.base.passages[k], case.candidate.passages[k]) for k in case.rewritten)
    valued = any(one.kind != "word" for text in all_new(case) for one in typed_tokens(text))
    touched = not asked or valued or matched(asked, new) or case.asked.given_in([new])
    return None if touched else "What is new does not touch what the question asks about; the clash must lie there."


def value_swapped(case: Case) -> str | None:
    """A paradox of time needs more than another date in place of one: it must stand before or behind other dates.

    Told where one date of a passage was exchanged, nothing else came, and its place among the dates is the old one.
    """
    if case.slot.perturbation is not PerturbationClass.CONTRADICTION or case.keeps_answer != "any":
        return None
    for k in case.rewritten:
        old, new = ([day for one in typed_tokens(text) if (day := day_of(one))] for text in _versions(case, k))
        more = content_words(case.candidate.passages[k]) - content_words(case.base.passages[k])
        if not old or len(old) != len(new) or any(":" not in word for word in more) or len(more) > 1:
            return None
        if [sorted(old).index(day) for day in old] != [sorted(new).index(day) for day in new]:
            return None
    return "One date was exchanged for another, and nothing clashes; the dates must contradict each other."


def _versions(case: Case, k: int) -> tuple[str, str]:
    return case.base.passages[k], case.candidate.passages[k]


def _must_clash(case: Case) -> bool:
    hard = case.slot.perturbation is PerturbationClass.CONTRADICTION and case.slot.intensity is not Intensity.LOW
    return hard and case.keeps_answer == "yes"
