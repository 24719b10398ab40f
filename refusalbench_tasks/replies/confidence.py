"""The confidence line of the calibration arm: five levels on a last line of their own
(paper F.2).
"""

import re
from enum import StrEnum
from typing import NamedTuple

from .code import visible_text


class Level(StrEnum):
    """The five confidence levels, most confident first."""

    VERY_CONFIDENT = "VERY_CONFIDENT"
    CONFIDENT = "CONFIDENT"
    SOMEWHAT_CONFIDENT = "SOMEWHAT_CONFIDENT"
    UNCERTAIN = "UNCERTAIN"
    VERY_UNCERTAIN = "VERY_UNCERTAIN"


LEVELS = tuple(Level)

MIDPOINTS = dict(zip(LEVELS, (0.95, 0.80, 0.60, 0.40, 0.15), strict=True))
"""The probability that each level stands for: the midpoint of its range (paper F.2)."""
_LEAST = dict(zip(LEVELS, (0.9, 0.7, 0.5, 0.3, 0.0), strict=True))
"""The probability at which the range of each level begins."""
_LINE = re.compile(
    r"[\s>*_`#\"'(\[-]*CONFIDENCE(?:\s+LEVEL)?[*_`\"']*\s*[:=]\s*(?P<level>.*)",
    re.IGNORECASE,
)
_NUMBER_BESIDE = re.compile(r"\s*[(\[][^()\[\]\w]*\d[^()\[\]]*[)\]][\W_]*$")
_WORD = re.compile(r"[^\W_]")


class ConfidentReply(NamedTuple):
    """A reply split into its body and its stated level; `level` is None if no valid
    level was stated.
    """

    body: str
    level: Level | None


def split_confidence(reply: str) -> ConfidentReply:
    """Return the body of a reply and the level that its last line states.

    Only the last line with a word is read, and only as `CONFIDENCE: LEVEL`; Markdown,
    case, a trailing stop, a number in brackets and spaces for underscores do not
    matter, and a fence may close behind it. A line with that key and an unknown level
    is taken off the body all the same and leaves `level` None. Never raises.
    """
    text = visible_text(reply)
    lines = text.splitlines()
    for at in reversed(range(len(lines))):
        if not _WORD.search(lines[at]):
            continue
        match = _LINE.fullmatch(lines[at])
        if match is None:
            break
        del lines[at]
        return ConfidentReply("\n".join(lines).rstrip(), level_named(match["level"]))
    return ConfidentReply(text, None)


def level_named(name: str) -> Level | None:
    """Return the level of a name, whatever its case and Markdown, with spaces or
    hyphens for underscores, or None.

    "CONFIDENT (80 %)" is the level beside its number; words in brackets make it no
    level.
    """
    bare = _NUMBER_BESIDE.sub("", name).strip(" \t*_`\"'.,;!()[]").upper()
    bare = re.sub(r"[\s-]+", "_", bare)
    return Level(bare) if bare in Level.__members__ else None


def level_at(probability: float) -> Level:
    """Return the level in whose range (paper F.2) a probability lies; a bound belongs
    to the higher level.
    """
    return next(level for level, least in _LEAST.items() if probability >= least)
