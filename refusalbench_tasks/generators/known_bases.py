"""The base questions of samples, each checked once."""

from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.slot import Slot

_MOST = 1024
"""So many base questions are held; with ten long passages each they are some twenty megabytes."""


class KnownBases:
    """Makes slots of what samples note; those of one base question share it."""

    def __init__(self) -> None:
        self._held: dict[object, tuple[object, RefusalItem]] = {}

    def slot_of(self, metadata: Any) -> Slot:
        """Return the slot that a sample's metadata is. Raises ValidationError where it is none."""
        base = metadata.get("base") if isinstance(metadata, dict) else None
        name = base.get("item_id") if isinstance(base, dict) else None
        noted, known = self._held.get(name, (None, None)) if isinstance(name, str) else (None, None)
        if known is not None and noted == base:
            return Slot.model_validate({**metadata, "base": known})
        slot = Slot.model_validate(metadata)
        if len(self._held) >= _MOST:
            del self._held[next(iter(self._held))]
        self._held[slot.base.item_id] = base, slot.base
        return slot
