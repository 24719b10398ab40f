"""The same work on many things, on all cores, with a progress bar."""

import gc
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

import click

In = TypeVar("In")
Out = TypeVar("Out")
Given = TypeVar("Given")
_GIVEN: list[Any] = []
"""In a process that helps: what its work is about."""
_FROM = 8
"""From so many things on, starting other processes pays."""


def each(function: Callable[[In], Out], items: Sequence[In], what: str) -> list[Out]:
    """Return the function's value for each item, in order; the bar is on stderr, and on a terminal only.

    From eight items on, other processes share the work: function, items and values are then sent between them.
    """
    workers = min(os.cpu_count() or 1, len(items) // 4)
    if len(items) < _FROM or workers < 2:
        return _shown(map(function, items), len(items), what)
    with ProcessPoolExecutor(workers, initializer=_one_thread) as pool:
        return _shown(pool.map(function, items), len(items), what)


def each_of(
    function: Callable[[Given, In], Out], given: Given, items: Sequence[In], what: str, worth_it: bool = True
) -> list[Out]:
    """Return the function's value for what is `given` and each item, in order; the bar as in `each`.

    Other processes share the work where it is `worth_it`, the first items first. What is given goes to each of them
    once, and where processes are forked it is not copied.
    """
    workers = min(os.cpu_count() or 1, len(items)) if worth_it else 1
    if workers < 2:
        return _shown((function(given, item) for item in items), len(items), what)
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=(given,)) as pool:
        return _shown(pool.map(partial(_with_given, function), items), len(items), what)


class Helpers:
    """Other processes, to which work goes as it comes up, and which end with the block; `given` goes to each once.

    Work that is begun first is done first. So work that follows from other work begins while that is going on.
    """

    def __init__(self) -> None:
        self.given: Any = None
        """What the work is about, set before any is begun; where processes are forked it is not copied."""
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, function: Callable[[Any, In], Out], item: In, worth_it: bool = True) -> "Future[Out]":
        """Have the function's value for what is given and an item computed: by another process where it is `worth_it`.

        Else, and on one core, it is computed at once.
        """
        workers = os.cpu_count() or 1
        if not worth_it or workers < 2:
            done: Future[Out] = Future()
            done.set_result(function(self.given, item))
            return done
        if not self._pool:
            self._pool = ProcessPoolExecutor(workers, initializer=_begin, initargs=(self.given,))
        return self._pool.submit(_with_given, function, item)


def as_they_come(futures: Collection["Future[Out]"], what: str) -> Iterator[Out]:
    """Yield values in the order in which they are there, with a bar as in `each`."""
    with _bar((one.result() for one in as_completed(futures)), len(futures), what) as bar:
        yield from bar


def _begin(given: object) -> None:
    _GIVEN[:] = [given]
    # what a forked process begins with stays: looking through it for garbage would copy it
    gc.freeze()
    _one_thread()


def _with_given(function: Callable[[Any, In], Out], item: In) -> Out:
    return function(_GIVEN[0], item)


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Have numerical libraries work on one core meanwhile, where `threadpoolctl` is there.

    Products of resampling are small: threads of a library would wait for each other for longer than they work, on cores
    that other processes need.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1, "blas"):
        yield


def _one_thread() -> None:
    with suppress(ImportError):
        from threadpoolctl import threadpool_limits

        # a process that helps has nothing else to do
        threadpool_limits(1, "blas")


def _shown(values: Iterable[Out], total: int, what: str) -> list[Out]:
    with _bar(values, total, what) as bar:
        return list(bar)


def _bar(values: Iterable[Out], total: int, what: str) -> AbstractContextManager[Iterable[Out]]:
    return click.progressbar(values, total, label=what, file=sys.stderr, hidden=not sys.stderr.isatty())
