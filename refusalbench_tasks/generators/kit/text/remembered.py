"""Results that are kept by text: many of short texts, few of long ones."""

from collections.abc import Callable
from functools import lru_cache
from typing import Concatenate, Generic, ParamSpec, TypeVar

LONG = 300
"""From how many characters on a text is long: answers and questions are not, passages are."""
SHORT_KEPT, LONG_KEPT = 4096, 256
"""Of how many texts results are kept. A page has dozens of passages, so many long ones would be most of a process."""
More = ParamSpec("More")
Made = TypeVar("Made")


class Remembered(Generic[More, Made]):
    """A pure function of a text, and perhaps more, whose latest results are kept."""

    def __init__(self, make: Callable[Concatenate[str, More], Made]) -> None:
        self._short = lru_cache(SHORT_KEPT)(make)
        self._long = lru_cache(LONG_KEPT)(make)

    def __call__(self, text: str, *more: More.args, **named: More.kwargs) -> Made:
        """Return the function's result for a text, which may be one that was made before."""
        return (self._long if len(text) >= LONG else self._short)(text, *more, **named)  # type: ignore[arg-type]

    def cache_clear(self) -> None:
        """Forget all results."""
        self._short.cache_clear()
        self._long.cache_clear()
