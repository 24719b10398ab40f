"""Typed values of facts: what a document states of a thing, apart from how it is
written.
"""

from dataclasses import dataclass, replace
from datetime import date
from math import ceil, floor
from typing import Literal

ValueType = Literal[
    "year", "date", "time", "count", "money", "measure", "flag", "entity"
]
"""What a relation's values are.

`flag` is yes or no, `entity` one of the things of the document.
"""

SMALLER = {
    "m": ("cm", 100),
    "cm": ("mm", 10),
    "l": ("ml", 1000),
}
"""The unit below a unit, and how many of it make one."""
HOUR = 60
DAY = 1440
"""In minutes."""
DECADE = 10
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True)
class Value:
    """One value.

    `number` is an amount, a year, minutes since midnight, an ordinal day, or 1 and 0
    for yes and no.
    """

    type: ValueType
    number: float
    unit: str = ""
    """Of measures; else empty."""
    name: str = ""
    """Of entities; else empty."""

    def __str__(self) -> str:
        """Return the value as English text: `£12.50`, `1,400 mm`, `17:15`, `4 March
        2024`, `yes`.
        """
        number = self.number
        whole = int(number)
        is_whole = number == whole
        if self.type == "entity":
            return self.name
        if self.type == "flag":
            return "yes" if number else "no"
        if self.type == "time":
            return f"{whole // 60:02}:{whole % 60:02}"
        if self.type == "date":
            day = date.fromordinal(whole)
            return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
        if self.type == "year":
            return str(whole)
        if self.type == "money":
            return f"£{whole:,}" if is_whole else f"£{number:,.2f}"
        amount = f"{whole:,}" if is_whole else f"{number:,}"
        return f"{amount} {self.unit}".strip()

    def in_smaller_unit(self) -> "Value":
        """Return the same measure in the unit below its own.

        Raises KeyError if there is none.
        """
        unit, worth = SMALLER[self.unit]
        return Value(
            self.type,
            round(self.number * worth, 4),
            unit,
        )


def aliases(value: Value) -> list[str]:
    """Return the ways to write an answer that a comparison of strings should know, the
    usual one first.
    """
    text = str(value)
    if value.type == "money":
        amount = text.removeprefix("£")
        return [text, f"{amount} pounds", amount]
    if value.unit:
        return [text, text.removesuffix(f" {value.unit}")]
    return [text]


def month_of(value: Value) -> str:
    """Return the name of a date's month."""
    day = date.fromordinal(int(value.number))
    return MONTHS[day.month - 1]


def limits_around(value: Value) -> tuple[Value, Value]:
    """Return two values between which a value lies: the full hours of a time, the
    decade of a year, else about a tenth below and above.
    """
    number = value.number
    whole = int(number)
    if value.type == "time":
        low = whole // HOUR * HOUR
        high = (low + HOUR) % DAY
    elif value.type == "year":
        low = whole // DECADE * DECADE
        high = low + DECADE - 1
    elif value.type == "count" or number == whole >= 10:
        low = min(floor(number * 0.9), whole - 1)
        high = max(ceil(number * 1.15), whole + 1)
    else:
        below = min(round(number * 0.9, 1), round(number - 0.1, 1))
        above = max(round(number * 1.15, 1), round(number + 0.1, 1))
        return replace(value, number=below), replace(value, number=above)
    return replace(value, number=low), replace(value, number=high)
