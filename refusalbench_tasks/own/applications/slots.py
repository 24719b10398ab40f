"""What a call of an application waits for: a free connection, and its turn."""

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

from inspect_ai.util import concurrency

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.call import Slot
from refusalbench_tasks.own.applications.failed import library


def connections(name: str, most: int) -> AbstractAsyncContextManager[Any]:
    """Return a place among the calls to one application; Inspect shows how many of them run."""
    return concurrency(name, most)


def paced(rate: float | None) -> Slot | None:
    """Return what lets `rate` calls a second through, evenly; None without a rate. Raises DataError for a bad one."""
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, int | float) or rate <= 0:
        raise DataError(f"rate: expected calls a second, a number above 0; got {rate!r}")
    limiter = library("aiolimiter").AsyncLimiter
    made: dict[Any, Any] = {}

    def turn() -> AbstractAsyncContextManager[Any]:
        # a limiter belongs to the event loop that it was first used in
        loop = asyncio.get_running_loop()
        if loop not in made:
            made.clear()
            made[loop] = limiter(1, 1 / rate)
        limited: AbstractAsyncContextManager[Any] = made[loop]
        return limited

    return turn
