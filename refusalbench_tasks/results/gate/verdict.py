"""What an interval says of a limit, and how much data would say more."""

import math
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["held", "failed", "undecided"]
Side = Literal["max", "min"]
"""A value may be at most its limit, or must be at least its limit."""
_Z2 = 1.959963984540054**2
_ROUNDING = 1e-9
"""Numbers that are closer than this differ by how they were computed."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval, the n of rows behind it, and what of these is independent."""

    value: float
    low: float
    high: float
    n: float
    units: int
    """Base questions with such a row; rows where the run takes rows for independent."""
    certain: bool = False
    """Whether the data show nothing but 0, or nothing but 1 (or no change), so that the interval is Wilson's."""


@dataclass(frozen=True)
class Needed:
    """About how many rows, and how many independent units, would decide."""

    rows: int
    units: int


def verdict(estimate: Estimate, limit: float, side: Side) -> Verdict:
    """Return what the interval says of a limit.

    `max` is held if no value of the interval is above the limit, failed if all are, else undecided; `min` likewise. The
    limit itself is allowed. Without an interval (no row, or one question) nothing is decided. Our definition.
    """
    low, high = _turned(estimate, side)
    at = limit if side == "max" else -limit
    if math.isnan(low) or math.isnan(high):
        return "undecided"
    if high <= at + _ROUNDING:
        return "held"
    return "failed" if low > at + _ROUNDING else "undecided"


def needed(estimate: Estimate, limit: float, side: Side) -> Needed | None:
    """Return about how much data of the same kind would decide; None for what is decided, and for what no n decides.

    If the value stays what it is, the interval's arm towards the limit, of length h, has to shrink to the distance d
    between value and limit. Arms shrink with the square root of n: n (h / d)^2, rounded up. Wilson's arm of 0 of n
    units is z^2 / (n + z^2), z = 1.96, and takes z^2 (1 - d) / d units. At d = 0 no n is enough, and without an
    interval nothing is known of h. Our definition.
    """
    if verdict(estimate, limit, side) != "undecided" or math.isnan(estimate.low) or math.isnan(estimate.high):
        return None
    value, at = (estimate.value, limit) if side == "max" else (-estimate.value, -limit)
    low, high = _turned(estimate, side)
    distance = abs(value - at)
    arm = high - value if value <= at else value - low
    if distance < _ROUNDING:
        return None
    of_wilson = _Z2 * (1 - distance) / distance / estimate.units if estimate.units else math.nan
    times = of_wilson if estimate.certain else (arm / distance) ** 2
    return Needed(_up(estimate.n * times), _up(estimate.units * times))


def _turned(estimate: Estimate, side: Side) -> tuple[float, float]:
    """Return the interval with the side that has to be low turned down."""
    return (estimate.low, estimate.high) if side == "max" else (-estimate.high, -estimate.low)


def _up(number: float) -> int:
    return math.ceil(number - _ROUNDING)
