"""The design of made sources: reliability, conflict and sufficiency, each varying apart
from the others.

A question has eight sets of sources, one for each cell of the 2 x 2 x 2 design. They
are dealt into four pairs that differ in one factor, the same for all four; the next
question's pairs differ in the next factor (ours).
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, get_args

from refusalbench_tasks.datasets.bluff_item import FACTORS, LEVELS, Factor

from .persona import Wording

Gap = Literal["missing", "outdated", "vague"]
"""Why sources that don't suffice don't: they speak of another thing, of what no longer
holds, or too inexactly.
"""
GAPS = get_args(Gap)
Rival = Literal["peer", "lesser"]
"""Whether the source that may disagree is as reliable as the other two that speak, or
doubtful in every cell.
"""
Dated = Literal["fresh", "stale"]
PAIRS = 4
"""Rows of a question."""
BALANCED = 72
"""Questions over which the design is balanced."""


@dataclass(frozen=True)
class DesignCell:
    """One cell of the design: whether the sources give cause for doubt, by factor."""

    reliability: bool
    conflict: bool
    sufficiency: bool

    def levels(self) -> dict[str, str]:
        """Return the level of each factor."""
        return {name: LEVELS[name][getattr(self, name)] for name in FACTORS}


@dataclass(frozen=True)
class Plan:
    """What is fixed for all eight sets of a question: by which factor its pairs differ,
    and what is only balanced.
    """

    arm: Factor
    gap: Gap
    rival: Rival
    wording: Wording
    dated: Dated

    def pairs(self) -> list[tuple[DesignCell, DesignCell]]:
        """Return the four pairs (clear, ambiguous); in the first nothing else gives
        cause for doubt.
        """
        others = [name for name in FACTORS if name != self.arm]
        pairs = []
        for levels in product((False, True), repeat=2):
            same = dict(zip(others, levels, strict=True))
            clear = DesignCell(**same, **{self.arm: False})
            pairs.append((clear, replace(clear, **{self.arm: True})))
        return pairs


def question_plan(index: int) -> Plan:
    """Return the plan of question `index`: BALANCED questions hold each combination
    once, but for stale dates.

    Where the gap is an outdated value, all sources are fresh: a stale one would leave
    open whether its value holds.
    """
    arm = FACTORS[index % 3]
    gap = GAPS[index // 3 % 3]
    rival: Rival = "lesser" if index // 9 % 2 else "peer"
    wording: Wording = "hedged" if index // 18 % 2 else "plain"
    dated: Dated = "stale" if index // 36 % 2 and gap != "outdated" else "fresh"
    return Plan(
        arm,
        gap,
        rival,
        wording,
        dated,
    )
