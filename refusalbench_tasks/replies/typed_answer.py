"""Whether a bare reply is the gold value, by the type that the data gives for the gold
answer (our definition).

Nothing may stand beside the value. Whatever else a reply says, a grader has to read.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from functools import cache

from .alias import equals_alias
from .plain_text import plain_text

Amount = tuple[str, Decimal]
"""A kind of unit and a number of its smallest."""

_YES_OR_NO = frozenset({"yes", "no"})
_DATES = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%Y-%m-%d")
_TIMES = ("%H:%M", "%I:%M %p", "%I %p")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)?\b(?: of\b)?")
_FIRST_YEAR = 1000
"""From here a number of four digits may be a year, of which a reply gives two."""
_MOST_WORDS = 4
"""Of a number with its unit, or a date."""
_HALF = re.compile(" ?([ap])\u2024? ?m$")
"""The half of a day at the end of a plain text, in which "a." is an initial."""
_NUMBER = re.compile(
    r"(?P<number>(?:0|[1-9][0-9]*)(?:\.[0-9]+)?) ?(?P<unit>[^\W\d_].*|%)?"
)
_ITEM_ENDS = re.compile(r",\s*and\b|[,;&\n]|\band\b", re.IGNORECASE)
_UNITS = """
length 0.001 mm millimetre
length 0.01 cm centimetre
length 1 m metre
length 1000 km kilometre
mass 0.001 mg milligram
mass 1 g gram
mass 1000 kg kilogram
mass 1000000 t tonne
volume 0.001 ml millilitre
volume 1 l litre
volume 100 hl hectolitre
time 1 s second
time 60 min minute
time 3600 h hour
time 86400 day
time 604800 week
share 1 % percent
"""
"""What a unit counts, what it is worth in the first of its kind, and its names in the
singular.
"""
_SPELLINGS = {"meter": "metre", "liter": "litre", "per cent": "percent"}


def typed_verdict(
    reply: str,
    answer_type: str,
    answers: Sequence[str],
) -> bool | None:
    """Return True if a reply is a gold answer and nothing else, False if it is "no" for
    "yes" or the reverse.

    Numbers are equal by value ("1,400 metres" is "1.4 km"), dates and times however
    they are written, lists in any order, all else word for word. None for everything
    else, another value included: "Bad Gateway" looks like a name, so a grader has to
    tell. Never raises.
    """
    if answer_type not in TYPES or not answers:
        return None
    if answer_type == "flag":
        given = plain_text(reply)
        gold = plain_text(answers[0])
        return given == gold if {given, gold} <= _YES_OR_NO else None
    if equals_alias(reply, answers):
        return True
    read = _READERS.get(answer_type)
    if read is None:
        return None
    value = read(reply)
    return True if value is not None and value in map(read, answers) else None


def is_other_value(text: str, answers: Sequence[str]) -> bool:
    """Return whether a text is a number, a date, or yes or no and nothing else, and so
    are all gold answers, and none of them can be the same one.

    Numbers with different units, numbers of which one may be the other rounded or
    written with another decimal sign, and a year cut to two digits may be the same.
    Never raises.
    """
    given = plain_text(text)
    golds = [plain_text(answer) for answer in answers]
    if not golds or given in golds:
        return False
    if {given, *golds} <= _YES_OR_NO:
        return True
    if given.count(" ") >= _MOST_WORDS or not any(map(str.isdecimal, given)):
        return False
    date = _date(text)
    dates = [_date(answer) for answer in answers]
    if date is not None and None not in dates:
        return date not in dates
    amounts = [_amount(answer) for answer in answers]
    return all(_differ(_amount(text), amount) for amount in amounts)


def _differ(
    amount: Amount | None,
    other: Amount | None,
) -> bool:
    """Return whether two amounts are of one kind and can't be meant for one another."""
    if amount is None or other is None or amount[0] != other[0]:
        return False
    low, high = sorted((amount[1], other[1]))
    if _digits(low) == _digits(high) or _shortens(low, high) or _shortens(high, low):
        return False
    is_whole = high == high.to_integral_value()
    is_year = is_whole and _FIRST_YEAR <= high < 10 * _FIRST_YEAR
    return not (is_year and low == high % 100)


def _shortens(number: Decimal, other: Decimal) -> bool:
    """Return whether a number is another one rounded or cut off at its last digit."""
    digits = len(_digits(number)) or 1
    shorter = [Context(digits, way).plus(other) for way in (ROUND_HALF_UP, ROUND_DOWN)]
    return number in shorter


def _digits(number: Decimal) -> str:
    """Return the digits of a number but for zeros at its ends: "1.4" for 1400 has the
    same.
    """
    return "".join(map(str, number.as_tuple().digits)).strip("0")


def _parsed(text: str, forms: Sequence[str]) -> datetime | None:
    """Return the point in time that a text states in one of some forms."""
    for form in forms:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def _date(text: str) -> datetime | None:
    plain = _ORDINAL.sub("", plain_text(text)).removeprefix("the ")
    return _parsed(plain.replace("sept ", "sep "), _DATES)


def _time(text: str) -> datetime | None:
    """Return a time of day; None for a bare hour, which may be of either half."""
    plain = plain_text(text).replace(".", ":")
    return _parsed(_HALF.sub(r" \1m", plain), _TIMES)


def _amount(text: str) -> Amount | None:
    """Return what a number counts (a kind of unit, a word, or nothing) and how much it
    is in the kind's first unit.
    """
    match = _NUMBER.fullmatch(plain_text(text))
    if match is None:
        return None
    unit = match["unit"] or ""
    for spelling, ours in _SPELLINGS.items():
        unit = unit.replace(spelling, ours)
    if len(unit) > 2:
        unit = unit.removesuffix("s")
    kind, worth = _worths().get(unit, (unit, Decimal(1)))
    return kind, Decimal(match["number"]) * worth


@cache
def _worths() -> Mapping[str, Amount]:
    """Return what each unit counts, and what it is worth, by its names."""
    worths: dict[str, Amount] = {}
    for line in _UNITS.strip().splitlines():
        kind, worth, *names = line.split()
        worths |= dict.fromkeys(names, (kind, Decimal(worth)))
    return worths


def _items(text: str) -> frozenset[str] | None:
    items = {plain_text(piece) for piece in _ITEM_ENDS.split(text)} - {""}
    return frozenset(items) or None


_READERS = {
    "date": _date,
    "time": _time,
    "count": _amount,
    "money": _amount,
    "measure": _amount,
    "names": _items,
}
TYPES = frozenset({*_READERS, "year", "flag", "person", "place", "entity", "kind"})
"""The types of gold answers for which a bare reply is decided."""
