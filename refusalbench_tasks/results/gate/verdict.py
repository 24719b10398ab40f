"""What a confidence interval says of a limit, and how much data would say more."""

import math
from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.proportion import Z

Verdict = Literal["pass", "fail", "undecided"]
Side = Literal["max", "min"]
"""A value may be at most its limit, or must be at least its limit."""
Limit = tuple[Side, float]
_ROUNDING = 1e-9
"""Numbers that are closer than this differ by how they were computed."""


@dataclass(frozen=True)
class Needed:
    """About how many rows, and how many independent units, would decide."""

    rows: int
    units: int


def limit_verdict(
    estimate: Estimate,
    limit: float,
    side: Side,
) -> Verdict:
    """Return what the CI says of a limit.

    `max` passes if no value of the CI is above the limit, fails if all are, else it is
    undecided; `min` likewise. The limit itself is allowed. Without a CI (no row, or one
    question) nothing is decided. Our definition.
    """
    if not estimate.has_interval:
        return "undecided"
    # how far the ends of the CI are beyond the limit
    least, most = estimate.low - limit, estimate.high - limit
    if side == "min":
        least, most = -most, -least
    if most <= _ROUNDING:
        return "pass"
    return "fail" if least > _ROUNDING else "undecided"


def needed(
    estimate: Estimate,
    limit: float,
    side: Side,
    certain: bool = False,
) -> Needed | None:
    """Return about how much data of the same kind would decide; None for what is
    decided, and for what no n decides.

    If the value stays what it is, the CI's arm towards the limit, of length h, has to
    shrink to the distance d between value and limit. Arms shrink with the square root
    of n: n (h / d)^2, rounded up and above n. Where data are `certain` (all 0, all 1,
    or no change) the arm is Wilson's: that of 0 of n units is z^2 / (n + z^2), z =
    1.96, and takes z^2 (1 - d) / d units. At d = 0 no n is enough, and without a CI
    nothing is known of h. Our definition.
    """
    if limit_verdict(estimate, limit, side) != "undecided":
        return None
    distance = abs(estimate.value - limit)
    if not estimate.has_interval or distance < _ROUNDING:
        return None
    arm = estimate.value - estimate.low
    if estimate.value <= limit:
        arm = estimate.high - estimate.value
    times = (arm / distance) ** 2
    if certain:
        times = Z**2 * (1 - distance) / distance / estimate.units
    return Needed(_more(estimate.n, times), _more(estimate.units, times))


def _more(n: float, times: float) -> int:
    return max(math.ceil(n * times - _ROUNDING), int(n) + 1)
