"""Work that several samples of a run share: done by whoever asks first, waited for by the others."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class SharedCalls(Generic[Made]):
    """Keeps the result of a piece of work until all who share it have taken it.

    An error is not kept: it is the asker's own, and the next one does the work anew.
    """

    def __init__(self) -> None:
        from anyio import Lock

        self._lock = Lock
        self._locks: dict[Hashable, Lock] = {}
        self._made: dict[Hashable, tuple[Made, int]] = {}

    async def take(self, key: Hashable, make: Callable[[], Awaitable[Made]], sharers: int) -> tuple[Made, bool]:
        """Return the result for a key, and whether it was made for this asker: whoever that is has paid for it.

        `sharers` is how many will ask for it, each once; then it is forgotten.
        """
        async with self._locks.setdefault(key, self._lock()):
            mine = key not in self._made
            made, left = (await make(), sharers) if mine else self._made[key]
            if left > 1:
                self._made[key] = made, left - 1
            else:
                self._made.pop(key, None)
        return made, mine
