"""The order of what a passage says: it may not tell which of the two things the passage has an answer for."""

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from refusalbench_tasks.worlds.block import Block

Place: TypeAlias = tuple[Block | None, Block | None, Block | None]
"""What stands in one place: in the row, without the lever of the answerable row, without the lever of the other."""


def arranged(places: Sequence[Place], one: str, other: str, rng: Random) -> list[Place]:
    """Return places in a drawn order, those that must open the passage first.

    Levers that leave an answer tell more about their thing, so in a plain shuffle it would be named earlier. So the
    first two places that name one of the two things alone name both, and a fair draw says which is named first.
    """
    opening = [place for place in places if any(block and block.leads for block in place)]
    rest = [place for place in places if place not in opening]
    rng.shuffle(opening)
    rng.shuffle(rest)
    mine = [place for place in rest if _names(place, one) and not _names(place, other)]
    theirs = [place for place in rest if _names(place, other) and not _names(place, one)]
    if not mine or not theirs:
        return [*opening, *rest]
    first, second = rng.sample((mine[0], theirs[0]), 2)
    naming = [place for place in rest if place in mine or place in theirs]
    later = iter([first, second, *(place for place in naming if place is not first and place is not second)])
    return [*opening, *(next(later) if place in naming else place for place in rest)]


def _names(place: Place, thing: str) -> bool:
    return place[0] is not None and any(thing in sentence.text for sentence in place[0].sentences)
