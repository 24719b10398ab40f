"""By what sets of sources differ, and how a source stands to the gold answer: the words of rows of `bluff`."""

from typing import Literal, get_args

Factor = Literal["reliability", "conflict", "sufficiency"]
FACTORS: tuple[Factor, ...] = get_args(Factor)
LEVELS: dict[Factor, tuple[str, str]] = {
    "reliability": ("reliable", "doubtful"),
    "conflict": ("none", "conflict"),
    "sufficiency": ("sufficient", "insufficient"),
}
"""The levels of each factor; the second is the one that gives cause for doubt."""
Stance = Literal["states", "contradicts", "silent", "outdated", "vague"]
"""How a source stands to the gold answer: `vague` gives bounds between which it lies, `outdated` a value that held."""
ConflictAbout = Literal["asked", "other_thing", "former_value", "bounds"]
"""What sources disagree on: the value that is asked for; that of another thing, the value that held, bounds."""
