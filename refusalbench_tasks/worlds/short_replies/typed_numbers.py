"""Numbers, years, dates and times that a part of a reply gives, compared with the gold one."""

import re
from collections.abc import Hashable

from refusalbench_tasks.generators.kit.text.calendar_dates import MONTH_NAMES, Date
from refusalbench_tasks.generators.kit.text.number_words import SCALES, cardinal, is_number_word
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.kit.text.units import units
from refusalbench_tasks.worlds.short_replies.typed_bounds import is_bound, is_rate
from refusalbench_tasks.worlds.short_replies.typed_gold import DOUBTS, Gold, plain, words_of

Found = tuple[Hashable, bool]
"""The value that was given, and whether it is the gold one."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_SAME = 1e-6
_ROUNDED = 0.025
"""How far a value may be from the gold one that was converted into another unit and rounded: 27 yards, 25 metres."""
_HALF_DAY = 720
_BARE = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?![\d.,])")
_DIGITS = re.compile(r"\d[\d,.]*(?<![,.])")
_SIGNS = frozenset("%$€£¥°")
_MONTH_WORDS = frozenset(name for month in MONTH_NAMES for name in (month, month[:3])) | {"sept", "am", "pm"}
_MONTH_NUMBERS = {form: k for k, name in enumerate(MONTH_NAMES, 1) for form in (name, name[:3])}
_MONTH = "|".join(_MONTH_NUMBERS)
_DATE = re.compile(
    rf"(?:on )?(?:the )?(?P<day>[12]\d|3[01]|[1-9])(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH}) (?P<year>[12]\d\d\d)"
    rf"|(?:on )?(?P<month2>{_MONTH}) (?P<day2>[12]\d|3[01]|[1-9])(?:st|nd|rd|th)?,? (?P<year2>[12]\d\d\d)",
    re.IGNORECASE,
)
_NO_TIME = re.compile(r"\b(?:1[3-9]|2\d):\d\d\s?a\.?m|\b(?:2[5-9]|[3-9]\d):\d|\d:[6-9]\d", re.IGNORECASE)
_GLUED = re.compile(r"\d+(?:-\d+)*(?P<behind>[a-z]*)")


def number_in(part: str, gold: Gold) -> Found | None:
    """Return the one number of a part that is not the question's; None for several, and for a foreign word beside."""
    plainly = _plain_number(part, gold)
    if plainly is not None:
        return plainly, plainly == gold.number
    if is_bound(part, gold) or is_rate(part, gold):
        return None
    found = _DIGITS.findall(part)
    if len(found) == 1 and not gold.asked_numbers and gold.known.issuperset(words_of(part.replace(found[0], " "))):
        # a whole number among words of the question alone
        number = int(found[0].replace(",", "")) if _plain_number(found[0], gold) is not None else None
        if number is not None and _whole_question(part, gold) and _SIGNS.isdisjoint(part):
            return number, number == gold.number
    wanted = _measured(gold.tokens)
    if not _whole_question(part, gold):
        return None
    if wanted is None or not _only_known(part, gold, wanted.unit):
        return None
    tokens = [token for token in typed_tokens(part) if token.kind != "word"]
    if any(token.kind not in ("number", "quantity") for token in tokens):
        return None
    found = [token for token in tokens if token.number not in gold.asked_values] or tokens
    if not found or len({(token.number, token.size) for token in found}) > 1:
        return None
    compared = _compared(found[0], wanted, part)
    # rows of worlds count "755" for "755 million crowns" among their answers
    return None if compared and not compared[1] and plain(part) in gold.spellings else compared


def _whole_question(part: str, gold: Gold) -> bool:
    """Return whether a part repeats all names of the question or none: the number of one thing is not their sum."""
    given = [name in part for name in gold.asked_names]
    return all(given) or not any(given)


def _plain_number(part: str, gold: Gold) -> int | None:
    """Return the whole number that is all of a part, or all but the gold unit: what most replies are."""
    if gold.number is None or (gold.unit and not SCALES.keys().isdisjoint(gold.unit.split())):
        return None
    digits = _BARE.match(part)
    if digits:
        number, rest = int(digits[0].replace(",", "")), part[digits.end() :]
    else:
        words = part.lower().replace("-", " ").split()
        spelt = cardinal(words) if words and is_number_word(words[0]) else None
        if spelt is None:
            return None
        number, rest = spelt[0], " " + " ".join(words[spelt[1] :])
    return number if rest.strip() == "" or rest == " " + gold.unit else None


def _compared(token: Token, wanted: Token, part: str) -> Found | None:
    if token.kind == "quantity" and wanted.kind == "quantity":
        same = token.unit == wanted.unit and not _is_rounded(token, wanted)
        return (token.size, _close(token.size, wanted.size)) if same else None
    if token.kind == "quantity" and not _SIGNS.isdisjoint(part):
        return None
    if wanted.unit == "share" and token.kind == "number" and _close(100 * token.number, wanted.number):
        return None
    return token.number, _close(token.number, wanted.number)


def _is_rounded(token: Token, wanted: Token) -> bool:
    """Return whether a quantity in another unit is near the gold one: it may be that, rounded."""
    if _close(token.size, wanted.size) or _close(token.size * wanted.number, wanted.size * token.number):
        return False
    return abs(token.size - wanted.size) <= _ROUNDED * abs(wanted.size)


def year_in(part: str, gold: Gold) -> Found | None:
    """Return the one year of a part that is not the question's."""
    bare = part[3:] if part[:3].lower() == "in " else part
    if len(bare) == 4 and bare.isdecimal():
        return int(bare), int(bare) == gold.number
    if is_bound(part, gold, dated=True) or not _only_known(part, gold, dates=True):
        return None
    tokens = [token for token in typed_tokens(part) if token.kind != "word"]
    years = [_year(token) for token in tokens]
    asked = {_year(token) for token in gold.asked_tokens if token.kind != "word"}
    if None in years and any(_year(token) is None and token not in gold.asked_tokens for token in tokens):
        return None
    found = {year for year in years if year} - asked or {year for year in years if year}
    if len(found) != 1 or gold.number is None:
        return None
    year = found.pop()
    return year, year == gold.number


def _year(token: Token) -> int | None:
    if token.date:
        return token.date.year
    plain_number = token.kind == "number" and token.number.is_integer()
    return int(token.number) if plain_number and _FIRST_YEAR <= token.number <= _LAST_YEAR else None


def date_in(part: str, gold: Gold) -> Found | None:
    """Return the one full date of a part that is not the question's; None for one that can be read in two ways."""
    wanted = next((token.date for token in gold.tokens if token.date), None)
    written = _DATE.fullmatch(part)
    if written and wanted and not gold.asked_numbers:
        day, name, year = (written[key] or written[f"{key}2"] for key in ("day", "month", "year"))
        date = Date(int(year), _MONTH_NUMBERS[name.lower()], int(day))
        return date, date == wanted
    bounds = is_bound(re.sub(r"\d+[-./]\d+[-./]\d+", "", part), gold, dated=True)
    if wanted is None or bounds or not _only_known(part, gold, dates=True):
        return None
    tokens = [token for token in typed_tokens(part) if token.kind != "word" and token not in gold.asked_tokens]
    asked = {token.date for token in gold.asked_tokens}
    found = {token.date for token in tokens if token.date} - asked
    if len(found) != 1 or any(token.date is None for token in tokens):
        return None
    date = found.pop()
    if date is None or None in (date.year, date.month, date.day):
        return None
    right = date.gives(wanted)
    return None if date.either_order and right else (date, right)


def time_in(part: str, gold: Gold) -> Found | None:
    """Return the one time of day of a part; None if a half of the day must be guessed."""
    wanted = next((token.number for token in gold.tokens if token.kind == "time"), None)
    part = re.sub(r"(?<![\d.])(\d{1,2})\.(\d{2})(?![\d.])", r"\1:\2", part)
    halved = re.search(r"\d ?[ap]\.?m", part, re.IGNORECASE)
    known = re.sub(r"\b[ap]\.m\b\.?", "", part, flags=re.IGNORECASE)
    if wanted is None or is_bound(part, gold, dated=True) or not _only_known(known, gold, dates=True):
        return None
    if _NO_TIME.search(part):
        return None
    asked = {token.number for token in gold.asked_tokens if token.kind == "time"}
    tokens = [token for token in typed_tokens(part) if token.kind != "word"]
    found = {token.number for token in tokens} - asked
    if len(found) != 1 or any(token.kind != "time" for token in tokens):
        return None
    time = found.pop()
    if not halved and _close(abs(time - wanted), _HALF_DAY):
        return None
    return time, _close(time, wanted)


def _only_known(part: str, gold: Gold, unit: str = "", dates: bool = False) -> bool:
    """Return whether a part holds only numbers, words of the question, of the answer and of grammar."""
    for word in words_of(part):
        if word in gold.allowed and word not in DOUBTS:
            continue
        digits = _GLUED.fullmatch(word)
        if digits:
            word = digits["behind"]
            if not word or (dates and word in ("st", "nd", "rd", "th", "am", "pm")):
                continue
        elif all(is_number_word(one) or one == "and" for one in word.split("-")):
            continue
        if (dates and word in _MONTH_WORDS) or (unit and units().get(word, ("",))[0] == unit):
            continue
        if dates and word.endswith(("th", "st", "nd", "rd")) and typed_tokens(word)[0].kind == "ordinal":
            continue
        return False
    return True


def _measured(tokens: tuple[Token, ...]) -> Token | None:
    return next((token for token in tokens if token.kind in ("number", "quantity")), None)


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME * max(1.0, abs(other))
