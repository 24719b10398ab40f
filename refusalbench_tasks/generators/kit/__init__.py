"""What tasks that make data share; here, what the parts of one run share: it is made
once, while the run is built.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Shared = TypeVar("Shared")
_parts: ContextVar[dict[Hashable, Any] | None] = ContextVar("parts", default=None)


@contextmanager
def one_run() -> Iterator[None]:
    """Let the parts that are made inside share what `once_a_run` makes.

    It decorates the function that builds a task.
    """
    token = _parts.set({})
    try:
        yield
    finally:
        _parts.reset(token)


def once_a_run(make: Callable[..., Shared], *args: Hashable) -> Shared:
    """Return `make(*args)`: the same for all parts of a run that is being built.

    A part that is made alone, as `inspect score` makes a scorer, gets one of its own.
    """
    parts = _parts.get()
    if parts is None:
        return make(*args)
    key = (make, *args)
    if key not in parts:
        parts[key] = make(*args)
    shared: Shared = parts[key]
    return shared
