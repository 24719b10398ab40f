"""How many sources of each category a set has: the arguments `clear` and `ambiguous`."""

import re
from typing import Any, Literal

from refusalbench_tasks.errors import DataError

Category = Literal["reliable", "unreliable", "distraction"]
ARMS = ("clear", "ambiguous")
CATEGORIES: tuple[Category, ...] = ("reliable", "unreliable", "distraction")
Sizes = dict[str, dict[Category, int]]
"""The number of sources by arm and category."""
CLEAR, AMBIGUOUS = "4+1", "1+2+2"
"""The composition of the paper: reliable + unreliable + distraction."""
_MOST = 20


def sizes_of(clear: Any, ambiguous: Any) -> Sizes:
    """Return the composition that two arguments name, as `4+1` or `1+2+2`: reliable + unreliable + distractions.

    Raises DataError for anything else, for a set without a source that isn't a distraction, and for more than 20.
    """
    return {"clear": _size("clear", clear), "ambiguous": _size("ambiguous", ambiguous)}


def _size(argument: str, value: Any) -> dict[Category, int]:
    text = str(value).replace(" ", "")
    if not re.fullmatch(r"\d{1,2}(\+\d{1,2}){0,2}", text):
        raise DataError(
            f"{argument}: expected reliable+unreliable+distraction, as {CLEAR} or {AMBIGUOUS}, got {value!r}"
        )
    numbers = [int(part) for part in text.split("+")]
    found = dict(zip(CATEGORIES, (*numbers, 0, 0), strict=False))
    if not found["reliable"] + found["unreliable"] or sum(numbers) > _MOST:
        raise DataError(f"{argument}: a set has 1 to {_MOST} sources, not only distractions, got {value!r}")
    return found


def needed(sizes: Sizes, category: Category) -> int:
    """Return how many sources of a category both sets need together."""
    return sum(sizes[arm][category] for arm in ARMS)
