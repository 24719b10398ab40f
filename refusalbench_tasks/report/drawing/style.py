"""Colours, fonts and sizes of all pictures."""

import re
from collections.abc import Sequence
from typing import Any

INK, GRID, PAPER = "#1b1f23", "#d0d7de", "#ffffff"
"""Text and axes, grid lines, and background: the page replaces these three by its own colours."""
LIGHT_TEXT = "#fefefe"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c6bb1")
"""Colours that people with a colour vision deficiency can tell apart (after Okabe and Ito)."""
MARKERS = "osD^vP*X"
LINES = ("-", "--", "-.", ":")
LONGEST, MOST_LINES = 42, 3

RC: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 9.0,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "savefig.facecolor": PAPER,
    "svg.fonttype": "none",
    "svg.hashsalt": "refusalbench",
}

_WORD_END = re.compile(r"[-_/ .:]+")
_UNPRINTABLE = re.compile(r"[^\S ]|[^\x20-\x7e\u00a0-\ud7ff\uf900-\ufffd]")


def shown(name: str) -> str:
    """Return a name in printable characters, each line of it at most 42 long, shortened in the middle."""
    return "\n".join(_shown_line(line) for line in name.split("\n")[:MOST_LINES])


def _shown_line(line: str) -> str:
    printable = _UNPRINTABLE.sub(" ", line).strip() or "(no name)"
    if printable.startswith("_"):
        # matplotlib leaves names that begin with an underscore out of legends
        printable = f"\u200b{printable}"
    half = LONGEST // 2
    return printable if len(printable) <= LONGEST else f"{printable[: half - 1]}…{printable[-half:]}"


def shown_names(names: Sequence[str]) -> list[str]:
    """Return the names as they are drawn: what long ones begin with alike goes first; alike ones get a number."""
    alike = _shared_start([name for name in dict.fromkeys(names) if len(name) > LONGEST])
    drawn = [shown(f"…{name[alike:]}" if len(name) > LONGEST and alike else name) for name in names]
    return [text if drawn.count(text) == 1 else f"{text} [{drawn[:i].count(text) + 1}]" for i, text in enumerate(drawn)]


def _shared_start(names: Sequence[str]) -> int:
    """Return how many letters all of the names begin with alike, whole words only; 0 for a single name."""
    if len(names) < 2:
        return 0
    start = next((k for k, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1), 0)
    return max((end.end() for end in _WORD_END.finditer(names[0][:start])), default=0)


def colour(i: int) -> str:
    """Return the colour of the i-th name."""
    return COLOURS[i % len(COLOURS)]


def marker(i: int) -> str:
    """Return the marker of the i-th name."""
    return MARKERS[(i + i // len(COLOURS)) % len(MARKERS)]


def line(i: int) -> str:
    """Return the line style of the i-th name."""
    return LINES[i // len(COLOURS) % len(LINES)]
