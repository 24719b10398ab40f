"""What a text says in words that a reader of values does not know: clock times, holidays, halves, peoples (English)."""

import re
from collections.abc import Callable
from functools import cache
from importlib import resources

import yaml

from refusalbench_tasks.generators.kit.text.number_words import ONES, TENS, cardinal
from refusalbench_tasks.generators.kit.text.remembered import Remembered

_Change = str | Callable[[re.Match[str]], str]
_SMALL = ONES[:12]
_HOUR = rf"(?P<hour>{'|'.join(_SMALL)}|\d{{1,2}})"
_MANY = rf"(?P<number>(?:(?:{'|'.join(TENS)})[- ])?(?:{'|'.join(ONES[::-1])})|{'|'.join(TENS)}|\d+)"
_MINUTES = (
    r"(?P<minutes>five|ten|fifteen|twenty(?:[- ]five)?|thirty(?:[- ]five)?|forty(?:[- ]five)?|fifty(?:[- ]five)?)"
)
_PARTS = {"a half": ".5", "a quarter": ".25", "three quarters": ".75"}
_LONGEST_NUMBER = 15
"""Digits of a number that is read."""
_NTH = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "tenth": 10, "twentieth": 20}
_BELOW = {"ten": 10, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_SHORT_NAMES = {
    r"U\.?K\.?": "United Kingdom",
    r"U\.?S\.?(?:A\.?)?": "United States",
    r"U\.?N\.?": "United Nations",
    r"E\.?U\.?": "European Union",
    r"U\.?A\.?E\.?": "United Arab Emirates",
}
_DECADE_WORDS = "twenties thirties forties fifties sixties seventies eighties nineties"
_DECADES = {word: number for number, word in enumerate(_DECADE_WORDS.split(), 2)}
_HOLIDAYS = {
    "christmas day": "25 December",
    "christmas eve": "24 December",
    "boxing day": "26 December",
    "new year's day": "1 January",
    "new year's eve": "31 December",
    "valentine's day": "14 February",
    "may day": "1 May",
    "hallowe'en": "31 October",
    "halloween": "31 October",
    "all saints' day": "1 November",
}
_VULGAR = {"½": ".5", "¼": ".25", "¾": ".75"}
_SPANS = {
    r"fortnight": "14 days",
    r"half a century": "50 years",
    r"quarter of a century|quarter[- ]century": "25 years",
    r"quarter of an hour": "15 minutes",
    r"quarter of a year": "3 months",
    r"day and (?:a )?night": "24 hours",
}
_ROUND_SPANS = {"century": "100 years", "decade": "10 years"}
_COUNTS = {r"pair of|couple of|brace of": "two", r"gross of": "144", r"half[- ]dozen": "six"}
_BEFORE = "for|in|took|takes|lasted|lasts|within|after|over|about|only|just|than|nearly|almost|under|of|is|was|weighs"
_UNIT = "(?:year|month|week|day|hour|minute|second|mile|metre|kilo|kilogram|tonne|ton|litre|pound)"
_TIMES = {"once": "one time", "twice": "two times", "thrice": "three times"}


@Remembered
def said_otherwise(text: str) -> tuple[str, ...]:
    """Return a text once more for each other way in which it says a value: "half past six" as "6:30" and "6:30 pm".

    A text that says none gives none. What comes back is for finding values, not for reading.
    """
    plain = re.sub("[’‘]", "'", text)
    changed = ((pattern.sub(change, plain)) for pattern, change in _changes())
    return tuple(one for one in dict.fromkeys(changed) if one != plain)


@cache
def _changes() -> tuple[tuple[re.Pattern[str], _Change], ...]:
    found: list[tuple[str, _Change]] = []
    for half in ("", " am", " pm"):
        found += _clock(half)
    found += [
        (rf"\bthe (?:(?P<century>nineteen|eighteen)[ -])?(?P<decade>{'|'.join(_DECADES)})\b", _decade),
        *((rf"\b{name}(?:,| of|,? in)?(?=\W+\d{{4}}|\b)", day) for name, day in _HOLIDAYS.items()),
        (rf"\b{_MANY} and (?P<part>a half|a quarter|three quarters)\b", _and_a_part),
        (rf"\b{_MANY} (?P<below>ten|hundred|thousand|million)ths? of an? (?P<unit>\w+)", _small_part),
        *((rf"(?-i:\b{short}(?!\w))", full) for short, full in _SHORT_NAMES.items()),
        (rf"\bevery (?P<part>{'|'.join(_NTH)})\b", lambda one: f"{100 / _NTH[one['part'].casefold()]:g} percent of"),
        (
            r"\bday of (?=(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)",
            "of ",
        ),
        (r"\b(?:the|an?|one) year (?P<side>before|after) (?P<year>1\d{3}|20\d\d)\b", _year_beside),
        (r"(?<=\d)['.](?=\d{3}\b)", ","),
        (r"\b(?P<number>\d+(?:\.\d+)?)k\b", lambda one: f"{float(one['number']) * 1000:.0f}"),
        (r"(?<!\w)\d(?: \d){2,}(?!\w)", lambda one: one[0].replace(" ", "")),
        *(
            (r"\b(?P<day>\d{1,2})(?P<by>[./])(?P<month>\d{1,2})(?P=by)(?P<year>\d\d)\b(?!\.\d)", _with_century(first))
            for first in ("18", "19", "20")
        ),
        (r"(?:(?<!\d)(?P<whole>\d+))?\s?(?P<part>[½¼¾])", lambda one: f"{one['whole'] or 0}{_VULGAR[one['part']]}"),
        (r"(?<![\w.])(?P<degrees>[\w.]+ degrees(?: \w+)?) below (?:zero|freezing)\b", r"minus \g<degrees>"),
        *((rf"\b(?:a |one )?(?:{span})\b", worth) for span, worth in _SPANS.items()),
        *((rf"\b(?:a|one) {span}\b", worth) for span, worth in _ROUND_SPANS.items()),
        *((rf"\b(?:a|one) (?:{count})\b", worth) for count, worth in _COUNTS.items()),
        (rf"\b(?P<before>{_BEFORE}) an? (?={_UNIT}\b)", r"\g<before> 1 "),
        *((rf"\b{word}\b", times) for word, times in _TIMES.items()),
        *((rf"\b{times}\b", word) for word, times in _TIMES.items()),
        *((rf"\b(?:{'|'.join(words)})s?\b", country) for country, words in _peoples().items()),
    ]
    return tuple((re.compile(pattern, re.IGNORECASE), change) for pattern, change in found)


def _clock(half: str) -> list[tuple[str, _Change]]:
    return [
        (rf"\bhalf past {_HOUR}\b", lambda one: f"{_digits(one['hour'])}:30{half}"),
        (rf"\b(?:a )?quarter past {_HOUR}\b", lambda one: f"{_digits(one['hour'])}:15{half}"),
        (rf"\b(?:a )?quarter to {_HOUR}\b", lambda one: f"{(_digits(one['hour']) - 2) % 12 + 1}:45{half}"),
        (rf"\b{_MINUTES}(?: minutes)? (?P<side>past|to) {_HOUR}\b", _minutes_off(half)),
        (
            rf"\b(?:at|by|until|till|from) {_HOUR} {_MINUTES}\b",
            lambda one: f"at {_digits(one['hour'])}:{_digits(one['minutes']):02d}{half}",
        ),
        (
            r"\b(?:at|by|until|till|from) (?P<hour>\d{1,2})\.(?P<minutes>[0-5]\d)\b(?!\s?[a-z%°]|\.\d)",
            lambda one: f"at {one['hour']}:{one['minutes']}{half}",
        ),
        (rf"\b{_HOUR} o'clock\b", lambda one: f"{_digits(one['hour'])}:00{half}"),
        (rf"\b(?:at|by|until|till|from) {_HOUR}(?= in the (?:morning|evening|afternoon))", _at_hour(half)),
        (r"\b(?:noon|midday)\b", "12:00" if not half else "12:00 pm"),
        (r"\bmidnight\b", "0:00" if not half else "12:00 am"),
    ]


def _minutes_off(half: str) -> Callable[[re.Match[str]], str]:
    def clock(found: re.Match[str]) -> str:
        hour, minutes = _digits(found["hour"]), _digits(found["minutes"])
        if found["side"].casefold() == "past":
            return f"{hour}:{minutes:02d}{half}"
        return f"{(hour - 2) % 12 + 1}:{60 - minutes:02d}{half}"

    return clock


def _at_hour(half: str) -> Callable[[re.Match[str]], str]:
    return lambda one: f"at {_digits(one['hour'])}:00{half}"


def _decade(found: re.Match[str]) -> str:
    century = 18 if (found["century"] or "").casefold() == "eighteen" else 19
    return f"the {century}{_DECADES[found['decade'].casefold()]}0s"


def _and_a_part(found: re.Match[str]) -> str:
    return f"{_digits(found['number'])}{_PARTS[found['part'].casefold()]}"


def _year_beside(found: re.Match[str]) -> str:
    return f"{int(found['year']) + (1 if found['side'].casefold() == 'after' else -1)}"


def _with_century(first: str) -> Callable[[re.Match[str]], str]:
    """Return "17.6.1936" for "17.6.36"."""
    return lambda one: f"{one['day']}.{one['month']}.{first}{one['year']}"


def _small_part(found: re.Match[str]) -> str:
    """Return "0.004 second" for "four thousandths of a second"."""
    return f"{_digits(found['number']) / _BELOW[found['below'].casefold()]:f} {found['unit']}"


def _digits(number: str) -> int:
    if number.isdecimal():
        return int(number[:_LONGEST_NUMBER])
    return (cardinal(re.split("[ -]", number.casefold())) or (0, 1))[0]


@cache
def _peoples() -> dict[str, list[str]]:
    file = resources.files("refusalbench_tasks.generators") / "words" / "peoples.yaml"
    entries: dict[str, str] = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return {country: words.split() for country, words in entries.items()}
