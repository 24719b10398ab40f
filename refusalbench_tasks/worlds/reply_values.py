"""The values that a reply gives, found by their form: amounts, times, dates, counts."""

import re

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# begun where digits begin and bounded, so that a reply of digits takes linear time
_NUMBER = r"(?<![\d,.])\d[\d,]{0,11}(?:\.\d{1,6})?"
_UNIT = (
    r"(?:(?:kilo|centi|milli)?(?:metres?|meters?|grams?|litres?|liters?)"
    r"|mm|cm|m|km|g|kg|ml|l|W|watts?|hours?|minutes?)"
)
_PATTERNS = {
    "money": re.compile(rf"[£$€]\s?{_NUMBER}|{_NUMBER}\s?(?:pounds|GBP)\b"),
    "time": re.compile(
        r"\b\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?",
        re.IGNORECASE,
    ),
    "year": re.compile(r"\b(?:1[5-9]|20)\d\d\b"),
    "date": re.compile(
        rf"\b{_DAY}(?: of)? {_MONTH},? \d{{4}}"
        rf"|\b{_MONTH} {_DAY},? \d{{4}}"
        r"|\b\d{4}-\d{2}-\d{2}\b",
        re.IGNORECASE,
    ),
    "measure": re.compile(rf"{_NUMBER}\s?{_UNIT}\b"),
    "count": re.compile(rf"(?<![:£$€(]){_NUMBER}(?![\d:]|\.\d)"),
    "flag": re.compile(r"\byes\b|\bno(?=\s*(?:[^\w\s]|\Z))", re.IGNORECASE),
}
_QUANTITIES = ("money", "time", "date", "measure")
"""Kinds of values that are answers whatever a row asks for: a lone number may be a
clause's, a year that of the list.
"""
_BARE = re.compile(_NUMBER)
_HANDLE = re.compile(
    r"\b(?:clause|item|note|type|no\.|number|entry|code|section|page|passage|line"
    r"|nos?)\s*:?\s*\d[\d.]*(?: \([a-z]\))?"
    r"|\[\d+(?:, ?\d+)*\]",
    re.IGNORECASE,
)
_CONNECTORS = re.compile(
    r"\b(?:and|or|either|both|maybe|perhaps|the|a|an|it|is|it's)\b", re.IGNORECASE
)


def values_in(text: str, kind: str) -> list[str]:
    """Return the different values of a row's type that a text gives, in its order and
    in lower case; none of a type that has no form.
    """
    if kind not in _PATTERNS:
        return []
    values = _PATTERNS[kind].findall(_HANDLE.sub(" ", text))
    bare = text.strip(" .*")
    if not values and kind in ("money", "measure") and _BARE.fullmatch(bare):
        values = [bare]
    return list(dict.fromkeys(value.lower().strip(" ,") for value in values))


def gives_quantity(text: str) -> bool:
    """Return whether a text gives a value of any type that can't be a number of the
    document's own.
    """
    return any(_PATTERNS[kind].search(text) for kind in _QUANTITIES)


def without_values(text: str, kind: str) -> str:
    """Return a text without its values of a type."""
    return _PATTERNS[kind].sub(" ", text) if kind in _PATTERNS else text


def is_silent(rest: str) -> bool:
    """Return whether what stands around values says nothing: then they are a list."""
    return not re.search(r"\w", _CONNECTORS.sub(" ", rest))
