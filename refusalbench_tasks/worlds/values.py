"""Typed values of facts: what is said of a thing, apart from how it is written."""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from babel import Locale
from babel.dates import parse_pattern
from babel.lists import format_list
from babel.numbers import format_decimal

ValueType = Literal[
    "year", "date", "time", "count", "money", "measure", "person", "place", "kind", "flag", "names", "entity"
]
"""What a relation's values are. `flag` is true or false, `names` a set of things, `entity` one of the
things that the passage speaks of."""

NUMERIC = frozenset({"year", "count", "money", "measure"})
"""Types whose content is a number."""
ORDERED = NUMERIC | {"date", "time"}
"""Types whose contents can be compared."""
SUMMED = frozenset({"count", "money", "measure"})
"""Types that can be added up."""

LOCALE = Locale.parse("en_GB")
# a pattern that is parsed once: Babel parses anew for each date
_DATE = parse_pattern("d MMMM y")


@dataclass(frozen=True, slots=True)
class Value:
    """One value: a number, an ISO date, a time as HH:MM, a name, a word, true or false, or a sorted set of names."""

    type: ValueType
    content: int | float | str | bool | tuple[str, ...]
    unit: str = ""
    """Of money and measures, in the plural; else empty."""

    @property
    def number(self) -> float:
        """Return the content as a number. Raises TypeError if the type is not numeric."""
        if isinstance(self.content, bool) or not isinstance(self.content, int | float):
            raise TypeError(f"a {self.type} is no number")
        return self.content

    def __str__(self) -> str:
        return written(self)


@lru_cache(maxsize=65536)
def written(value: Value) -> str:
    """Return a value as English text: `1,874 metres`, `4 March 1987`, `A, B and C`; of a flag `yes` or `no`."""
    if value.type == "flag":
        return "yes" if value.content else "no"
    if value.type == "year":
        return str(value.content)
    if value.type == "date":
        return str(_DATE.apply(date.fromisoformat(str(value.content)), LOCALE))
    if isinstance(value.content, tuple):
        return str(format_list(value.content, locale=LOCALE))
    if isinstance(value.content, int | float):
        # of whole numbers, as Babel writes them in this locale
        whole = isinstance(value.content, int)
        number = f"{value.content:,}" if whole else format_decimal(value.content, locale=LOCALE)
        return f"{number} {value.unit}" if value.unit else number
    return value.content
