"""Where names stand beside points, so that none covers a point, an interval or another name."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.scene import XY

SIZE = 10.0
_HIGH = 12.0
_RINGS = (9.0, 15.0, 24.0, 36.0, 50.0, 68.0, 90.0)
_WAYS = 16


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "Box") -> float:
        """Return the area that both have in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)

    def holds(self, other: "Box") -> bool:
        """Whether the other lies within it."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


def placed(points: Sequence[XY], names: Sequence[str], taken: Sequence[Box], room: Box) -> list[Box]:
    """Return the box of each name, the nearest free one to its point within `room`.

    Where there is none, the one that covers least. The names at the most crowded points come first.
    """
    crowd = [sum(math.dist(one, other) < 60 for other in points) for one in points]
    found: dict[int, Box] = {}
    for k in sorted(range(len(points)), key=lambda k: (-crowd[k], k)):
        filled = [*taken, *found.values()]
        best, least = None, math.inf
        for candidate in _around(points[k], width_of(names[k], SIZE)):
            if not room.holds(candidate):
                continue
            cost = sum(candidate.covers(one) for one in filled)
            if cost < least:
                best, least = candidate, cost
            if cost == 0:
                break
        found[k] = best or next(_around(points[k], width_of(names[k], SIZE)))
    return [found[k] for k in range(len(points))]


def _around(point: XY, wide: float) -> Iterator[Box]:
    x, y = point
    for ring in _RINGS:
        for way in range(_WAYS):
            angle = way * 2 * math.pi / _WAYS
            # right of the point first, then round it; the near edge of the name is on the ring
            dx, dy = math.cos(angle), math.sin(angle)
            left = x + dx * ring - (wide / 2) * (1 - dx)
            top = y + dy * ring - (_HIGH / 2) * (1 - dy)
            yield Box(left, top, left + wide, top + _HIGH)
