"""Worlds: items from invented closed worlds, whose labels are computed and not judged."""

from collections.abc import Mapping
from typing import Any

__all__ = ["reward"]


def reward(reply: str, row: Mapping[str, Any], wrong_code: float = 0.0) -> float | None:
    """Return 1 for the right behaviour, 0 for another, None if it cannot be told: see `worlds.rewards`."""
    from refusalbench_tasks.worlds.rewards import reward as earned

    return earned(reply, row, wrong_code)
