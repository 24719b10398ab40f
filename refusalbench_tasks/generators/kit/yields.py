"""How much of what was asked for came out: ratios, acceptance with its bounds, what was
planned.
"""

from collections.abc import Iterable

NAN = float("nan")


def ratio(top: float, bottom: float) -> float:
    """Return top / bottom; NaN, which is undefined, over nothing."""
    return top / bottom if bottom else NAN


def acceptance(accepted: int, decided: int, undecided: int) -> dict[str, float]:
    """Return the share of the decided that was accepted, and its bounds over decided
    and undecided.

    The bounds are what it would be with all of the undecided rejected, and with all of
    them accepted (our definition).
    """
    every = decided + undecided
    return {
        "acceptance": ratio(accepted, decided),
        "acceptance_n": decided,
        "acceptance_low": ratio(accepted, every),
        "acceptance_high": ratio(accepted + undecided, every),
        "acceptance_bounds_n": every,
    }


def planned_over_shards(plans: Iterable[tuple[int, int]]) -> int:
    """Return how much was planned in all; each plan is a shard and what that shard says
    of itself.
    """
    of_shard: dict[int, int] = {}
    for shard, planned in plans:
        of_shard[shard] = max(planned, of_shard.get(shard, 0))
    return sum(of_shard.values())
