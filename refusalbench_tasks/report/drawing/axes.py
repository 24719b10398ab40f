"""Scales, and the lines and numbers along them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.scene import Item, Line, Text
from refusalbench_tasks.report.drawing.style import GRID, INK

SMALL = 10.5
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_ALIKE = 1e-12
"""Numbers that differ by less than this share of themselves, or by less than this, are drawn as one."""


@dataclass(frozen=True)
class Scale:
    """Where numbers from `low` to `high` are in pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a number."""
        low, high, value = (map(math.log, (self.low, self.high, value)) if self.log
                            else (self.low, self.high, value))  # fmt: skip
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def inside(self, value: float) -> float:
        """Return the place of a number, at most at the ends of the scale."""
        return self.at(min(max(value, self.low), self.high))

    @property
    def ticks(self) -> list[float]:
        """Return round numbers in it, about five."""
        if self.log:
            return [self.low, self.high]
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(step * power for step in _STEPS if step * power >= rough * 0.999)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def fitted(values: Iterable[float], start: float, end: float, zero: bool = False) -> Scale:
    """Return a scale that all known values fit in, with a margin; one apart around a single value."""
    known = [value for value in values if not math.isnan(value)] or [0.0]
    low, high = min(known), max(known)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= _ALIKE * max(1.0, abs(low), abs(high)):
        return Scale(low - (1 if zero else 0.5), high + (1 if zero else 0.5), start, end)
    margin = 0.06 * (high - low)
    return Scale(low - margin if low else 0.0, high + margin if high else 0.0, start, end)


def x_axis(scale: Scale, top: float, bottom: float, label: str = "", ticks: Sequence[float] | None = None
           ) -> list[Item]:  # fmt: skip
    """Return grid lines, numbers and label of a horizontal axis at the bottom."""
    items: list[Item] = []
    for value in scale.ticks if ticks is None else ticks:
        x = scale.at(value)
        items += [Line(((x, top), (x, bottom)), GRID), Text(x, bottom + 14, number(value), SMALL, "middle")]
    items.append(Line(((scale.start, bottom), (scale.end, bottom)), INK))
    if label:
        items.append(Text((scale.start + scale.end) / 2, bottom + 31, label, 11.5, "middle"))
    return items


def named_x_axis(scale: Scale, top: float, bottom: float, label: str, names: Sequence[str]) -> list[Item]:
    """Return grid lines, names and label of a horizontal axis of the places 0, 1, ..."""
    items: list[Item] = []
    for k, name in enumerate(names):
        x = scale.at(k)
        items += [Line(((x, top), (x, bottom)), GRID), Text(x, bottom + 14, name, SMALL, "middle")]
    items.append(Line(((scale.start, bottom), (scale.end, bottom)), INK))
    return [*items, Text((scale.start + scale.end) / 2, bottom + 31, label, 11.5, "middle")]


def y_axis(scale: Scale, left: float, right: float, label: str = "", numbered: bool = True) -> list[Item]:
    """Return grid lines, numbers and label of a vertical axis at the left."""
    items: list[Item] = []
    for value in scale.ticks:
        y = scale.at(value)
        items.append(Line(((left, y), (right, y)), GRID))
        if numbered:
            items.append(Text(left - 5, y + 3.5, number(value), SMALL, "end"))
    items.append(Line(((left, scale.start), (left, scale.end)), INK))
    if label:
        wide = max((width_of(number(value), SMALL) for value in scale.ticks), default=0.0)
        items.append(Text(left - wide - 13, (scale.start + scale.end) / 2, label, 11.5, "middle", turn=90))
    return items


def number(value: float) -> str:
    """Return a number as it stands on an axis."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.10g}" if value else "0"
