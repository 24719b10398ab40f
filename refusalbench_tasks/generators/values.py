"""Values of a text beside the answer: of one kind, equal, close, or far from it."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.kit.text.answer_spans import same
from refusalbench_tasks.generators.kit.text.content_words import is_content
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens

YEARS = range(1000, 2101)
_DIGITS_OF_YEAR = 4
"""Numbers of four digits that are taken for years."""
GRAMS_OF_A_POUND = 453.59237
"""A pound is a currency too: beside a mass it is none."""
_DEGREE = 0.6
_ROUNDED = 0.01
_OFF = 0.02
"""How far two statements of one measure may be off: they are rounded."""


def answer_values(case: Case) -> list[Token]:
    """Return the numbers, dates and quantities of the answers."""
    every = [one for text in case.base.answers for one in typed_tokens(text, True)]
    return [one for one in every if one.kind not in ("word", "time")]


def values_like(answers: Sequence[Token], texts: Sequence[str]) -> list[Token]:
    """Return the values of texts that are of the kind of an answer."""
    tokens = [one for text in texts for one in typed_tokens(text)]
    return [one for one in tokens if any(comparable(answer, one) for answer in answers)]


def without_pronouns(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without a "one" that counts nothing: "four lamps, one at every corner", "according to one"."""
    return [
        one
        for one, after in zip_longest(tokens, tokens[1:])
        if one.raw.casefold() != "one" or (after and not after.apart and is_content(after))
    ]


def plain_numbers(texts: Sequence[str]) -> list[float]:
    """Return the numbers of texts that are no years and no dates, those of quantities too."""
    tokens = [one for text in texts for one in typed_tokens(text)]
    plain = [one for one in tokens if one.kind == "quantity" or (one.kind == "number" and not is_year(one))]
    return [one.number for one in plain]


def shares_in(text: str) -> list[float]:
    """Return the shares that a text gives as odds, in per cent: "three chances in five", "2 out of 3"."""
    tokens = typed_tokens(text)
    found = [100 * one.number for one in tokens if one.kind == "number" and 0 < one.number < 1 and one.raw[0].isalpha()]
    found += [50.0] if re.search(r"\bhalf (?:of|the)\b|\ba half\b", text, re.IGNORECASE) else []
    for at, one in enumerate(tokens):
        behind = tokens[at + 1 : at + 5]
        words = [each.form for each in behind]
        joint = next((k for k, word in enumerate(words[:3]) if word == "in" or words[k : k + 2] == ["out", "of"]), None)
        if one.kind != "number" or joint is None:
            continue
        parts = 1 if words[joint] == "in" and words[joint + 1 : joint + 2] not in (["every"], ["each"]) else 2
        whole = behind[joint + parts :][:1]
        if whole and whole[0].kind == "number" and not is_year(whole[0]) and 0 < one.number < whole[0].number:
            found.append(100 * one.number / whole[0].number)
    return found


def is_year(token: Token) -> bool:
    """Return whether a token is a number that looks like a year."""
    # "²" is a digit and no number, and Python reads no more than 4,300 digits
    return token.raw.isdecimal() and len(token.raw) <= _DIGITS_OF_YEAR and int(token.raw) in YEARS


def year_of(token: Token) -> int | None:
    """Return the year that a token is, or that its date has."""
    if token.kind == "date" and token.date is not None:
        return token.date.year
    return int(token.raw) if is_year(token) else None


def day_of(token: Token) -> tuple[int, int, int] | None:
    """Return year, month and day of a token that is a year or a date with one; 0 for what it leaves open."""
    year = year_of(token)
    if year is None:
        return None
    return (year, token.date.month or 0, token.date.day or 0) if token.date else (year, 0, 0)


def comparable(answer: Token, token: Token) -> bool:
    """Return whether a value of a text is of the kind of an answer."""
    if answer.kind == "quantity":
        return token.kind == "quantity" and token.unit == answer.unit
    if answer.kind == "date":
        return token.kind == "date" or is_year(token)
    if answer.kind == "number":
        dated = token.kind == "date" and token.date is not None and token.date.year is not None
        return token.kind in ("number", "quantity") or (dated and int(answer.number) in YEARS)
    return token.kind == answer.kind


def one_value(answer: Token, token: Token) -> bool:
    """Return whether a value is the answer, in whatever form; a conversion may be rounded to the digits that it has."""
    if same(answer, token):
        return True
    if answer.kind == token.kind == "quantity" and token.size and token.number:
        digits = len(token.form.partition(".")[2]) if token.form else 0
        return abs(answer.size / (token.size / token.number) - token.number) <= 0.5 * 10.0**-digits
    return False


def same_measure(answer: Token, token: Token) -> bool:
    """Return whether two measures are one in different units: miles and kilometres, pounds, the two degrees."""
    if answer.kind != "quantity" or token.kind != "quantity":
        return False
    units = {answer.unit, token.unit}
    if units == {"celsius", "fahrenheit"}:
        celsius, fahrenheit = sorted((answer, token), key=lambda one: one.unit)
        return abs(celsius.number * 1.8 + 32 - fahrenheit.number) <= _DEGREE
    if units == {"mass", "pound"}:
        mass, pounds = sorted((answer, token), key=lambda one: one.unit)
        return is_near(mass.size, GRAMS_OF_A_POUND * pounds.number)
    # equal numbers of different sizes are different measures; tens of them are enough to be compared
    return len(units) == 1 and answer.number != token.number and is_near(answer.size, token.size, _ROUNDED)


def is_near(one: float, two: float, off: float = _OFF) -> bool:
    """Return whether two sizes differ by no more than a share of the larger, usually as much as rounding makes."""
    return abs(one - two) <= off * max(abs(one), abs(two))
