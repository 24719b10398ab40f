"""How likely it is that a reply answers, declines, or asks back."""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Chances(NamedTuple):
    """How likely it is that a text answers, declines, or asks back, and does nothing
    else.

    The three are read apart, so that all are small for a text that does several or
    none.
    """

    answers: float
    declines: float
    asks_back: float


ChanceModel = Callable[[str, str, Sequence[str]], Chances]
"""Tells the chances of a text that replies to a question beside passages."""
