"""A text as typed tokens: words, numbers, quantities, dates and times, each in one form however it is written."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from refusalbench_tasks.generators.kit.text import calendar_dates, number_words
from refusalbench_tasks.generators.kit.text.calendar_dates import Date, date_at, written_date
from refusalbench_tasks.generators.kit.text.number_words import SCALES, cardinal, fraction, is_number_word, ordinal
from refusalbench_tasks.generators.kit.text.remembered import Remembered
from refusalbench_tasks.generators.kit.text.units import LONGEST, units
from refusalbench_tasks.generators.kit.text.word_forms import stem

Kind = Literal["word", "number", "ordinal", "quantity", "date", "time"]
_FOLD = {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "−": "-", "‑": "-", "‐": "-", "\u00a0": " ", "\u202f": " "}
_FOLDED = str.maketrans(_FOLD | {"\u2009": " ", "\u200b": None, "\u00ad": None, "\ufeff": None})
_NO_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_PIECE = re.compile(
    r"(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b)"
    r"|(?P<time>\b\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?m\b\.?|(?<![\d.])\d{1,2}:\d{2}(?![\d:]))"
    r"|(?P<year>(?<!\w)'\d{2}\b(?!'))"
    r"|(?P<share>\b\d{1,2}/\d{1,2}\b)"
    r"|(?P<decade>\b\d{3}0s\b)"
    r"|(?P<nth>\b\d+(?:st|nd|rd|th)\b)"
    r"|(?P<number>(?:(?<![\w)])[-+](?=\d))?"
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<!\d )\d{1,3}(?: \d{3})+(?!\d)|\d+(?:\.\d+)*))"
    r"|(?P<sign>°[CF]?|[%$€£¥]|\b[kc]?m[²³]|\bkm/h|\bm/s)"
    rf"|(?P<word>[{_NO_SPACES}]|(?:(?![{_NO_SPACES}])[^\W\d_])+(?:'[^\W\d_]+)*)"
    r"|(?P<glue>-(?=\w))"
    r"|(?P<stop>[.!?\n]+)|(?P<pause>[,;:()\[\]\"“”„«»—–…/-]+)",
    re.IGNORECASE,
)
_SHORT_SCALES = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9}
_ROMAN_NUMERALS = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI"
_ROMAN = {name: number for number, name in enumerate(_ROMAN_NUMERALS.split(), 1)}
_ROMAN_YEAR = re.compile(r"M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
_LONGEST_NUMBER, _LONGEST_PART = 24, 3
"""Pieces that a number in words may have, and those that tell whether one, an ordinal or a fraction begins."""
_CURRENCY = frozenset((*"$€£¥", "USD", "EUR", "GBP", "JPY"))
_SHORT_RANGE = re.compile(r"\b(1\d|20)(\d\d) ?[-–/] ?(\d\d)\b(?![-–/]|\.\d)")
_BEGINNINGS = frozenset({"an", "half", "minus"}) | number_words.BEGINNINGS | calendar_dates.BEGINNINGS
_ABBREVIATIONS_WORDS = "mr mrs ms dr st prof sr jr rev capt col gen lt sgt hon no vs ca"
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_WORDS.split())
_ARTICLES = frozenset({"a", "an", "the"})
_BEFORE_MONTHS_WORDS = "in by of on since until till from to for last next early late mid during each every this"
_BEFORE_MONTHS = frozenset(_BEFORE_MONTHS_WORDS.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or what several words say together.

    `form` is equal for words that count as one; `number` is the numeral of a number, an ordinal or a quantity; `size`
    its worth in the first unit of `unit`. `apart`: punctuation stands before it; `opens`: a sentence begins with it;
    `glued`: a hyphen joins it to the word before.
    """

    kind: Kind
    form: str
    raw: str
    number: float = 0.0
    size: float = 0.0
    unit: str = ""
    date: Date | None = None
    apart: bool = False
    opens: bool = False
    glued: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is a word with a capital letter."""
        return self.kind == "word" and self.raw[:1].isupper()


@Remembered
def typed_tokens(text: str, is_answer: bool = False) -> tuple[Token, ...]:
    """Return the tokens of a text, without articles.

    In an answer a month may begin with a small letter, and an article may be all ("A").
    English names of numbers, units and months. Plurals are one with their singulars (the S-stemmer of Harman 1991 and
    a few irregular ones), hyphens join nothing, accents of Latin letters don't count. Scripts without spaces give a
    token for each character.
    """
    pieces = list(_pieces(text))
    tokens, at = [], 0
    while at < len(pieces):
        token, taken = _typed(pieces, at, is_answer)
        tokens.append(token)
        at += taken
    without = tuple(token for token in tokens if not _is_article(token))
    return without or (tuple(tokens) if is_answer else ())


def _pieces(text: str) -> Iterator[Token]:
    apart = opens = True
    glued = False
    before = ""
    for found in _PIECE.finditer(_plain(text)):
        name, raw = found.lastgroup, found[0]
        if name in ("stop", "pause"):
            initial = raw == "." and (before.casefold() in _ABBREVIATIONS or (len(before) == 1 and before.isupper()))
            apart, opens = apart or not initial, opens or (name == "stop" and not initial)
        elif name == "glue":
            glued = True
        else:
            kind, form, number, date = _piece(name or "", raw)
            yield Token(kind, form, raw, number, date=date, apart=apart, opens=opens, glued=glued)
            apart = opens = glued = False
        before = raw


def _piece(name: str, raw: str) -> tuple[Kind, str, float, Date | None]:
    """Return kind, form, number and date of a piece."""
    if name == "word":
        if len(raw) > 3 and raw[0] == "M" and _ROMAN_YEAR.fullmatch(raw):
            return "number", raw, float(_roman(raw)), None
    elif name == "number":
        plain = re.sub("[, ]", "", raw).lstrip("+")
        return ("word", plain, 0.0, None) if plain.count(".") > 1 else ("number", plain, float(plain), None)
    elif name == "year":
        return "number", raw, float(raw[1:]), None
    elif name == "share":
        above, below = map(int, raw.split("/"))
        return ("number", raw, above / below, None) if below else ("word", raw, 0.0, None)
    elif name == "nth":
        return "ordinal", "", float(raw[:-2]), None
    elif name == "time":
        return "time", "", _minutes(raw), None
    elif name == "date" and (date := written_date(raw)):
        return "date", "", 0.0, date
    return "word", stem(raw), 0.0, None


def _roman(raw: str) -> int:
    """Return the number that Roman digits write."""
    worth = [_ROMAN_DIGITS[digit] for digit in raw]
    return sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def _typed(pieces: Sequence[Token], at: int, is_answer: bool) -> tuple[Token, int]:
    """Return the token that begins at a piece, and how many pieces it takes."""
    here = pieces[at]
    if here.kind == "word" and not _may_begin(here.raw):
        return here, 1
    half = _half(pieces, at)
    if half:
        return half
    found = date_at([(piece.raw, _day(piece), piece.opens) for piece in pieces[at : at + 9]], is_answer)
    if found and not (found[1] == 1 and at and _is_surname(pieces[at - 1], here)):
        date, taken = found
        raw = " ".join(piece.raw for piece in pieces[at : at + taken])
        return replace(here, kind="date", form="", raw=raw, date=date), taken
    if here.raw in _CURRENCY and at + 1 < len(pieces) and pieces[at + 1].kind == "number":
        number, taken = _number(pieces, at + 1)
        scale = _SHORT_SCALES.get(_following(pieces[at + 1 + taken]) if at + 1 + taken < len(pieces) else "", 1)
        return _quantity(here, number.number * scale, here.raw.lower()), taken + (1 if scale == 1 else 2)
    if here.raw.lower() == "minus" and at + 1 < len(pieces):
        number, taken = _number(pieces, at + 1)
        if number.kind == "number":
            return _measured(pieces, at, replace(here, kind="number", number=-number.number), taken + 1)
    number, taken = _number(pieces, at)
    return _measured(pieces, at, number, taken) if number.kind == "number" else (number, taken)


def _may_begin(raw: str) -> bool:
    """Whether a word can begin what several words say together; most cannot."""
    return raw.lower() in _BEGINNINGS or raw in _CURRENCY or raw in _ROMAN


def _half(pieces: Sequence[Token], at: int) -> tuple[Token, int] | None:
    """Return the quantity of "a year and a half" or "half an hour", and how many pieces it takes."""
    words = [piece.raw.lower() for piece in pieces[at : at + 5]]
    one = ("a", "an", "one")
    if words[2:] == ["and", "a", "half"] and words[0] in one and words[1] in units():
        return _quantity(pieces[at], 1.5, words[1]), 5
    if len(words) > 2 and words[0] == "half" and words[1] in one and words[2] in units():
        return _quantity(pieces[at], 0.5, words[2]), 3
    return None


def _number(pieces: Sequence[Token], at: int) -> tuple[Token, int]:
    here = pieces[at]
    words = _words(pieces, at, _LONGEST_PART)
    if words[:2] == ["half", "a"] and len(words) > 2 and words[2] in SCALES:
        return replace(here, kind="number", number=SCALES[words[2]] / 2), 3
    if here.kind == "number":
        scale = SCALES.get(words[1] if len(words) > 1 else "", 1)
        return replace(here, number=here.number * scale), 1 if scale == 1 else 2
    if here.kind != "word":
        return here, 1
    if here.raw in _ROMAN and at and pieces[at - 1].is_name and not here.apart:
        return replace(here, kind="ordinal", number=float(_ROMAN[here.raw])), 1
    part = fraction(words)
    if part:
        return replace(here, kind="number", form="", number=part[0]), part[1]
    nth = ordinal(words)
    if nth:
        return replace(here, kind="ordinal", number=float(nth[0])), nth[1]
    if not is_number_word(words[0]):
        return here, 1
    value, taken = cardinal(_words(pieces, at, _LONGEST_NUMBER)) or (0, 1)
    return replace(here, kind="number", number=float(value)), taken


def _words(pieces: Sequence[Token], at: int, most: int) -> list[str]:
    """Return the words from a piece on, in small letters; nothing stands for what is none or is set apart."""
    return [pieces[at].raw.lower()] + [_following(piece) for piece in pieces[at + 1 : at + most]]


def _measured(pieces: Sequence[Token], at: int, number: Token, taken: int) -> tuple[Token, int]:
    """Return the quantity if a unit stands behind the number, else the number."""
    behind = pieces[at + taken : at + taken + LONGEST]
    for length in range(len(behind), 0, -1):
        name = "_".join(piece.raw.lower() for piece in behind[:length])
        if name in units() and not any(piece.apart for piece in behind[:length]):
            return _quantity(number, number.number, name), taken + length
    return replace(number, raw=" ".join(piece.raw for piece in pieces[at : at + taken])), taken


def _quantity(token: Token, number: float, name: str) -> Token:
    kind, worth = units()[name]
    return replace(token, kind="quantity", form="", number=number, size=number * worth, unit=kind)


def _is_surname(before: Token, month: Token) -> bool:
    """Whether a month without a day stands behind a first name or a title ("Theresa May")."""
    return before.is_name and not month.apart and before.raw.lower() not in _BEFORE_MONTHS


def _following(piece: Token) -> str:
    return piece.raw.lower() if piece.kind == "word" and not piece.apart else ""


def _day(piece: Token) -> float | None:
    return piece.number if piece.kind in ("number", "ordinal") else None


def _minutes(raw: str) -> float:
    hour, minute = [*re.findall(r"\d+", raw), "0"][:2]
    late = "p" in raw.lower()
    halves = "m" in raw.lower()
    return (int(hour) % 12 + 12 * late if halves else int(hour)) * 60 + int(minute)


def _is_article(token: Token) -> bool:
    return token.form in _ARTICLES and (token.raw != "A" or token.opens)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFD", text.translate(_FOLDED))
    plain = unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", folded))
    return _SHORT_RANGE.sub(_in_full, plain)


def _in_full(years: re.Match[str]) -> str:
    """Return "1922-1934" for "1922-34"; a month ("1922-03") is left alone."""
    century, first, last = years.groups()
    return f"{century}{first}-{century}{last}" if last > first else years[0]
