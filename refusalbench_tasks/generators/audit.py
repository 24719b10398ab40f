"""Which candidates the whole panel judges, whatever its first members say."""

import math

from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.slot import Slot


def audit_probability(slot: Slot, share: float) -> float:
    """Return the share if the slot is among those that are audited, else 0.

    Where asking stops at the first FAIL, later verifiers see only what earlier ones passed, and no rate of theirs can
    be read from that. The audited slots are judged by all, and 1 / share is the weight of each. They follow from the
    slot's id alone, so that all writers share them and a larger share holds a smaller one. Later attempts are never
    audited: they exist only where an earlier one was rejected. Raises DataError for a share outside [0, 1].
    """
    check_share(share)
    if slot.attempt > 1:
        return 0.0
    place = int.from_bytes(rank(f"audit|{slot.slot_id}", 0)[:8], "big") / 2**64
    return share if place < share else 0.0


def check_share(share: float) -> None:
    """Raise DataError unless a value is a share."""
    known = isinstance(share, int | float) and not isinstance(share, bool) and math.isfinite(share)
    if not known or not 0 <= share <= 1:
        raise DataError(f"audit_share: expected a number from 0 to 1, got {share!r}")
