"""Python's cyclic garbage collector, in commands that keep most of what they make."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 200_000
"""So many new objects call the collector; by default it is called after 700."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Call the collector seldom inside: it walks through all that is kept, row by row, and finds nothing."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
