"""A cell: the levers of one class and intensity."""

from collections.abc import Iterable

from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.slot import Slot


def cell_of(slot: Slot, levers: Iterable[Lever]) -> list[Lever]:
    """Return the levers of a slot's class and intensity."""
    return [lever for lever in levers if (lever.perturbation, lever.intensity) == (slot.perturbation, slot.intensity)]
