"""Colours, fonts and sizes of all pictures."""

import math
import re
from collections.abc import Mapping, Sequence

INK, GRID, PAPER = "#1b1f23", "#d0d7de", "#ffffff"
"""Text and axes, grid lines, and background: the page replaces these three by its own colours."""
LIGHT_TEXT = "#fefefe"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c6bb1")
"""Colours that people with a colour vision deficiency can tell apart (after Okabe and Ito)."""
SERIES = ("#4f6d8f", "#c08a3e", "#7a9a6a", "#9a6f97", "#8a8f98", "#5aa3a8")
"""Colours of what is no model, which are none of the models'."""
_STEP = math.pi / 12
SHAPES: Mapping[str, Sequence[tuple[float, float]]] = {
    "o": [(math.cos(k * _STEP), math.sin(k * _STEP)) for k in range(24)],
    "s": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
    "D": [(0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)],
    "^": [(0, -1.05), (1.05, 0.85), (-1.05, 0.85)],
    "v": [(0, 1.05), (1.05, -0.85), (-1.05, -0.85)],
    "P": [(-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4), (0.4, 1), (-0.4, 1), (-0.4, 0.4),
          (-1, 0.4), (-1, -0.4), (-0.4, -0.4)],
    "*": [(math.sin(k * math.pi / 5) * r, -math.cos(k * math.pi / 5) * r)
          for k, r in enumerate((1.2, 0.5) * 5)],
    "X": [(-1, -0.5), (-0.5, -1), (0, -0.5), (0.5, -1), (1, -0.5), (0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5), (-0.5, 1),
          (-1, 0.5), (-0.5, 0)],
}  # fmt: skip
"""The outline of each marker, from -1 to 1, y downwards."""
MARKERS = "".join(SHAPES)
LINES: Sequence[tuple[float, ...]] = ((), (6, 3), (6, 2, 1.5, 2), (1.5, 2))
"""Strokes and gaps."""
LONGEST, MOST_LINES = 42, 3

_WORD_END = re.compile(r"[-_/ .:]+")
_UNPRINTABLE = re.compile(r"[^\S ]|[^\x20-\x7e\u00a0-\ud7ff\uf900-\ufffd]")


def shown(name: str) -> str:
    """Return a name in printable characters, each line of it at most 42 long, shortened in the middle."""
    return "\n".join(_shown_line(line) for line in name.split("\n")[:MOST_LINES])


def _shown_line(line: str) -> str:
    printable = _UNPRINTABLE.sub(" ", line).strip() or "(no name)"
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


def shape(i: int) -> Sequence[tuple[float, float]]:
    """Return the outline of the marker of the i-th name."""
    return SHAPES[marker(i)]


def line(i: int) -> tuple[float, ...]:
    """Return the strokes and gaps of the line of the i-th name."""
    return LINES[i // len(COLOURS) % len(LINES)]
