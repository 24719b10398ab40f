"""Typed values of facts: what a document states of a thing, apart from how it is
written.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

ValueType = Literal[
    "year", "date", "time", "count", "money", "measure", "flag", "entity"
]
"""What a relation's values are.

`flag` is yes or no, `entity` one of the things of the document.
"""

SMALLER: dict[str, tuple[str, int]] = {
    "m": ("cm", 100),
    "cm": ("mm", 10),
    "kg": ("g", 1000),
    "l": ("ml", 1000),
}
"""The unit below a unit, and how many of it make one."""
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


@dataclass(frozen=True, slots=True)
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
        return written(self)

    def in_smaller_unit(self) -> "Value":
        """Return the same measure in the unit below its own.

        Raises KeyError if there is none.
        """
        unit, worth = SMALLER[self.unit]
        return Value(self.type, round(self.number * worth, 4), unit)


def written(value: Value) -> str:
    """Return a value as English text: `£12.50`, `1,400 mm`, `17:15`, `4 March 2024`,
    `yes`.
    """
    number = value.number
    if value.type == "entity":
        return value.name
    if value.type == "flag":
        return "yes" if number else "no"
    if value.type == "time":
        return f"{int(number) // 60:02}:{int(number) % 60:02}"
    if value.type == "date":
        day = date.fromordinal(int(number))
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    if value.type == "year":
        return str(int(number))
    if value.type == "money":
        return f"£{int(number):,}" if number == int(number) else f"£{number:,.2f}"
    plain = f"{int(number):,}" if number == int(number) else f"{number:,}"
    return f"{plain} {value.unit}" if value.unit else plain


def aliases(value: Value) -> list[str]:
    """Return the ways to write an answer that a comparison of strings should know, the
    usual one first.
    """
    ways = [written(value)]
    if value.type == "money":
        ways += [f"{ways[0][1:]} pounds", ways[0][1:]]
    elif value.unit:
        ways.append(ways[0].removesuffix(f" {value.unit}"))
    return ways


def new_years_day(year: int) -> int:
    """Return the ordinal of a year's first day, on which days of
    that year are counted.
    """
    return date(year, 1, 1).toordinal()


def month_of(value: Value) -> str:
    """Return the name of a date's month."""
    return MONTHS[(date.min + timedelta(days=int(value.number) - 1)).month - 1]
