"""Siblings: the items of one base question and class that differ in intensity, and are written in one call."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.slot import Sibling, Slot
from refusalbench_tasks.taxonomy import PERTURBED, PerturbationClass


def with_siblings(plan: Sequence[Slot]) -> list[Slot]:
    """Return the plan with each slot knowing the others of its base and class.

    Raises DataError for a plan that has no lever for a slot, or several slots for a base, a class and an intensity.
    """
    kin: dict[tuple[str, PerturbationClass], list[Slot]] = defaultdict(list)
    for slot in plan:
        kin[slot.base.item_id, slot.perturbation].append(slot)
    for slots in kin.values():
        if None in [slot.lever for slot in slots] or max(Counter(slot.intensity for slot in slots).values()) > 1:
            raise DataError("together=true needs one planned lever for each cell: coverage=balanced or rotation")
    return [_knowing(slot, kin[slot.base.item_id, slot.perturbation]) for slot in plan]


def family(slot: Slot) -> list[Slot]:
    """Return the slot and its siblings, by intensity. Siblings have no alternatives here: only the text is shared."""
    own = Sibling(intensity=slot.intensity, lever=slot.lever or "")
    known = {one.intensity: one for one in (*slot.siblings, own)}
    return [
        slot if level is slot.intensity else slot.model_copy(
            update={"intensity": level, "lever": known[level].lever, "alternatives": (), "siblings": ()}
        )
        for level in PERTURBED
        if level in known
    ]  # fmt: skip


def _knowing(slot: Slot, kin: Sequence[Slot]) -> Slot:
    others = tuple(
        Sibling(intensity=one.intensity, lever=one.lever or "") for one in kin if one.intensity is not slot.intensity
    )
    return slot.model_copy(update={"siblings": others})
