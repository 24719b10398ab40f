"""How a system is shown: its short name, and its colour and marker, which are the same
in every figure, and on every page that it is alone or first on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from refusalbench_tasks.replies.outside_text import one_line

LONGEST_NAME = 34
INK = "#1b1f23"
SOFT = "#57606a"
PAPER = "#ffffff"
GRID = "#d0d7de"
"""Text, small text, background and grid; the page puts its own colours in place of
these four.
"""
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#b07d00",
    "#2f8fcb",
    "#7f7f7f",
    "#8c6bb1",
)
"""Colours that people with a colour vision deficiency can tell apart (after Okabe and
Ito), each with a contrast of 3 to 1 to a white page and to a dark one.
"""
MARKERS = "osD^vPX*"
SERIES = (
    "#4f6d8f",
    "#c08a3e",
    "#7a9a6a",
    "#9a6f97",
    "#8a8f98",
    "#4a8b90",
    "#a06a5a",
    "#6a8aa0",
)
"""Colours of what is no system."""


@dataclass(frozen=True)
class Look:
    """How a system is drawn; `number` is its place among all looks."""

    number: int

    @property
    def colour(self) -> str:
        """Return the colour, as hexadecimal digits."""
        return COLOURS[self.number % len(COLOURS)]

    @property
    def marker(self) -> str:
        """Return matplotlib's letter of the marker."""
        return MARKERS[(self.number + self.number // len(COLOURS)) % len(MARKERS)]


Looks = Mapping[str, Look]
"""The looks of systems by what they are called."""


def looks_of(names: Iterable[str]) -> Looks:
    """Return the look of each system, given in the order in which they were first run.

    A name's own look follows from its letters alone. Of two systems that would look
    alike the later one gets the next colour that is free, so that a system that joins a
    page changes none that is there.
    """
    numbers: dict[str, int] = {}
    for name in dict.fromkeys(names):
        first = int(sha256(name.encode()).hexdigest()[:8], 16)
        for k in count():
            # round by round of the colours, each from the name's own on
            number = k - k % len(COLOURS) + (first + k) % len(COLOURS)
            if number not in numbers.values():
                numbers[name] = number
                break
    return {name: Look(number) for name, number in numbers.items()}


def shown_name(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name in printable letters on one line, shortened in the middle."""
    text = one_line(name) or "(no name)"
    half = longest // 2
    return text if len(text) <= longest else f"{text[: half - 1]}…{text[-half:]}"
