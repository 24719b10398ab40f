"""The same work on many things, on all cores, with a progress bar."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import click

In = TypeVar("In")
Out = TypeVar("Out")
_FROM = 8
"""From so many things on, starting other processes pays."""


def each(
    function: Callable[[In], Out],
    items: Sequence[In],
    what: str,
) -> list[Out]:
    """Return the function's value for each item, in order; the bar is on stderr, and on
    a terminal only.

    Other processes share the work on many items: function, items and values are then
    sent between them.
    """
    n = len(items)
    workers = min(os.cpu_count() or 1, n)
    if n < _FROM or workers < 2:
        return _shown(
            map(function, items),
            n,
            what,
        )
    with ProcessPoolExecutor(workers) as pool:
        return _shown(
            pool.map(function, items),
            n,
            what,
        )


def _shown(values: Iterable[Out], n: int, what: str) -> list[Out]:
    with click.progressbar(
        values,
        n,
        label=what,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as bar:
        return list(bar)
