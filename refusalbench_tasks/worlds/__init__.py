"""Worlds: items from invented closed worlds, whose labels are computed and not judged."""

from collections.abc import Mapping
from typing import Any

__all__ = ["reward"]


def reward(row: Mapping[str, Any], reply: str, plain: float = 0.5, undecided: float = 0.0) -> float:
    """Return what a reply to a row earns, from -1 to 1: see `worlds.reward.reward`."""
    from refusalbench_tasks.worlds.reward import reward as earned

    return earned(row, reply, plain, undecided)
