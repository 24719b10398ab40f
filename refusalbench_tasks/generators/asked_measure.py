"""Whether a sentence gives another measure under the word that a question asks for it by."""

import re
from collections.abc import Iterator

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.rewording import matched
from refusalbench_tasks.generators.values import answer_values, is_near, one_value, year_of
from refusalbench_tasks.replies.sentences import sentences

_BEFORE = 3
"""Words before a measure among which that stands of which it is one: "deviated by 240 ms", "gives its depth as 9 m"."""
_ABOUT = 0.25
_ELSEWHERE = re.compile(
    r"\b(?:other|another|second|earlier|later|previous|former|before|after|until|usual\w*|average|next|last|each|every|"
    r"limit|allow\w*|most|least|first|now|today|once|elsewhere|neighbour\w*)\b",
    re.IGNORECASE,
)
"""Words by which a measure may be one of another time or thing."""


def measures_asked(case: Case, text: str) -> bool:
    """Return whether a sentence has a measure like the answer, far from it, right behind a word of the question.

    The answer must stand behind the same word in the original ("it deviated by", "gives the deviation as"); a sentence
    that speaks of another time or thing, or has a name or a date that the passages do not have, says nothing of it.
    """
    answers = [one for one in answer_values(case) if one.kind == "quantity"]
    told = [one for passage in case.base.passages for one in sentences(passage)]
    known = {token.form for one in (case.base.query, *told) for token in typed_tokens(one)}
    if not answers or _ELSEWHERE.search(text) or any(_is_new(one, known) for one in typed_tokens(text)):
        return False
    names = {one.form for one in typed_tokens(case.base.query) if one.is_name and not one.opens}
    asked = content_words(case.base.query) - names
    rivals = list(_measures(text, answers))
    if any(_is_one(one, answers) for one, _ in rivals):
        return False
    heads = {head for one in told for value, head in _measures(one, answers) if _is_one(value, answers)}
    return any(
        matched([word], head) and any(matched([word], other) for other in heads) for _, head in rivals for word in asked
    )


def _measures(text: str, answers: list[Token]) -> Iterator[tuple[Token, str]]:
    """Yield the measures of the answers' units, each with the last word of matter before it."""
    tokens = typed_tokens(text)
    for at, one in enumerate(tokens):
        if one.kind == "quantity" and any(one.unit == answer.unit for answer in answers):
            heads = [two.form for two in tokens[max(0, at - _BEFORE) : at] if two.kind == "word" and is_content(two)]
            if heads:
                yield one, heads[-1]


def _is_one(value: Token, answers: list[Token]) -> bool:
    return any(one_value(one, value) or is_near(one.size, value.size, _ABOUT) for one in answers)


def _is_new(token: Token, known: set[str]) -> bool:
    named = token.is_name and not token.opens and token.form not in known
    return named or token.kind == "date" or year_of(token) is not None
