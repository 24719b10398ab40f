"""The probability of one of two letters, from a model's log-probabilities or from its
votes.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Alternatives = Iterable[tuple[str, float]]
"""Tokens with their log-probabilities."""

TRUE = "A"
FALSE = "B"
MIN_MASS = 0.5
"""The least probability of both letters together (or share of votes) that makes a
reading a confidence.
"""
_ROUNDING = 0.01
"""How far a provider may round a log-probability above 0; beyond that its numbers are
none.
"""

# white space and markup, also as byte-level tokenizers spell them
_MARK = r"[\s\"'`*_().:,\[\]{}▁ĠĊĉ“”‘’]|<0x0A>"
_MARKS = re.compile(f"(?:{_MARK})+")
_BLANK = re.compile(f"(?:{_MARK}|[-#>])*")
_VOTE = re.compile(r"(?P<A>a(?:\W+true)?)|(?P<B>b(?:\W+false)?)", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:probability\s*:?\s*)?(?P<value>\d{1,3}(?:\.\d+)?|\.\d+)\s*(?P<percent>%|percent)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LetterReading:
    """The probability of A among A and B, and what it rests on.

    `mass` is the probability of both letters together (log-probabilities), or the share
    of replies that were a letter (votes).
    """

    probability: float
    mass: float


def letter_of(token: str) -> str | None:
    """Return A or B if a token is that letter, in any case, with spaces, quotes,
    brackets or stops around it.
    """
    letter = _MARKS.sub("", token).upper()
    return letter if letter in (TRUE, FALSE) else None


def first_written(tokens: Sequence[str]) -> int | None:
    """Return the place of the first token that is more than white space and markup;
    None if there is none.
    """
    for at, token in enumerate(tokens):
        if not _BLANK.fullmatch(token):
            return at
    return None


def from_logprobs(alternatives: Alternatives) -> LetterReading | None:
    """Return P(A) / (P(A) + P(B)) from one token's alternatives, as (token, natural
    log-probability).

    The variants of a letter are summed. A letter that is not among the alternatives
    counts as 0, so the value is then 0 or 1 up to the alternatives that the provider
    did not list. None if neither letter is there with a number, or one has a
    log-probability above 0. Source: p(true), Kadavath et al. 2022; normalised over the
    two letters.
    """
    total = {TRUE: 0.0, FALSE: 0.0}
    for letter, probability in _letters(alternatives, letter_of):
        total[letter] += probability
    mass = total[TRUE] + total[FALSE]
    return LetterReading(total[TRUE] / mass, min(mass, 1.0)) if mass > 0 else None


def as_released(alternatives: Alternatives) -> LetterReading | None:
    """Return p(true) as BLUFF's released code takes it from the first token's
    alternatives, in their order.

    Of a letter's variants the last one counts. P(A) / (P(A) + P(B)); with A alone P(A),
    with B alone 1 - P(B). None where neither letter is there: the released code then
    makes up a number, which is not reproduced. None, too, for a log-probability above
    0.
    """
    probabilities = dict(_letters(alternatives, lambda token: token.strip().upper()))
    mass = sum(probabilities.values())
    if mass == 0:
        return None
    if TRUE not in probabilities:
        value = 1 - probabilities[FALSE]
    elif FALSE not in probabilities:
        value = probabilities[TRUE]
    else:
        value = probabilities[TRUE] / mass
    return LetterReading(value, min(mass, 1.0))


def _letters(
    alternatives: Alternatives, name: Callable[[str], str | None]
) -> list[tuple[str, float]]:
    """Return the letters among the alternatives with their probability; none where one
    has a log-probability above 0.
    """
    letters = []
    for token, logprob in alternatives:
        letter = name(token)
        if letter not in (TRUE, FALSE) or math.isnan(logprob):
            continue
        if logprob > _ROUNDING:
            return []
        letters.append((letter, math.exp(min(logprob, 0.0))))
    return letters


def from_votes(replies: Sequence[str]) -> LetterReading | None:
    """Return the share of A among the replies that are a letter; None if none is.

    A reply is a letter if its first line is that letter alone and no later line is the
    other. The word for which the letter stands may follow it: A for true, B for false.
    """
    votes = [letter for reply in replies if (letter := _vote(reply))]
    if not votes:
        return None
    return LetterReading(votes.count(TRUE) / len(votes), len(votes) / len(replies))


def _vote(reply: str) -> str | None:
    lines = [line for line in reply.splitlines() if line.strip()]
    matches = [_VOTE.fullmatch(line.strip("*_`\"'(). \n")) for line in lines]
    letters = {match.lastgroup for match in matches if match}
    return letters.pop() if len(letters) == 1 and matches[0] else None


def clipped(probability: float) -> float:
    """Return a probability within [0.01, 0.99], as the released evaluator stores it
    (`official-code`).
    """
    return min(max(probability, 0.01), 0.99)


def stated_probability(reply: str) -> float | None:
    """Return a probability that a reply states and says nothing beside: 0 to 1, or 0 to
    100 with a percent sign.
    """
    match = _NUMBER.fullmatch(reply.strip().strip("*_`\"'() \n").rstrip("."))
    if not match:
        return None
    value = float(match["value"]) / (100 if match["percent"] else 1)
    return value if 0 <= value <= 1 else None
