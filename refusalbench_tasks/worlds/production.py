"""Many rows at once: ranges of a seed, made by several processes, in order."""

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeAlias

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.failures import Failure, Failures
from refusalbench_tasks.worlds.proof import Disagreement, proven_quad
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.rows import CELLS, Layout, as_row
from refusalbench_tasks.worlds.turn import NoQuad

BATCH = 250
"""Quads that a process makes at a time."""
AHEAD = 4
"""Batches a process that are made before they are asked for: what bounds the memory."""
_Made: TypeAlias = tuple[list[dict[str, Any]], list[Failure]]


@dataclass(frozen=True)
class Range:
    """Rows `start` to `stop` (not included) of a seed, from some domains."""

    seed: int
    start: int
    stop: int
    domains: tuple[str, ...]
    layout: Layout = "context"

    def check(self) -> None:
        """Raise DataError for a range that is empty or cuts a quad."""
        if not 0 <= self.start < self.stop:
            raise DataError(f"rows {self.start} to {self.stop}: this range is empty")
        if self.start % CELLS or self.stop % CELLS:
            raise DataError(f"rows {self.start} to {self.stop}: rows come in fours, give multiples of {CELLS}")


def produce(
    wanted: Range, processes: int = 1, proven: bool = True, failures: Failures | None = None
) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a range in batches, in order, each proven by the reader unless told otherwise.

    The result does not depend on the number of processes. A quad of which the reader finds another label or answer
    than the solver, or that can't be made or read, is never written: `failures` takes it, and the others follow.
    Without `failures`, and if there are too many, the first one is raised: Disagreement or NoQuad.
    """
    for rows, errors in _batches(wanted, processes, proven):
        if failures is not None:
            failures.take(len(rows) // CELLS + len(errors), errors)
        elif errors:
            raise errors[0]
        yield rows


def _batches(wanted: Range, processes: int, proven: bool) -> Iterator[_Made]:
    wanted.check()
    first, last = wanted.start // CELLS, wanted.stop // CELLS
    jobs = [(wanted, at, min(at + BATCH, last), proven) for at in range(first, last, BATCH)]
    if processes == 1 or len(jobs) == 1:
        yield from map(_batch, jobs)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        left = iter(jobs)
        running: list[Future[_Made]] = [pool.submit(_batch, job) for job in islice(left, processes * AHEAD)]
        while running:
            done = running.pop(0).result()
            running += [pool.submit(_batch, job) for job in islice(left, 1)]
            yield done


def _batch(job: tuple[Range, int, int, bool]) -> _Made:
    wanted, first, last, proven = job
    rows: list[dict[str, Any]] = []
    errors: list[Failure] = []
    for index in range(first, last):
        try:
            quad = (proven_quad if proven else make_quad)(wanted.seed, index, wanted.domains)
            rows += [as_row(quad, place, wanted.layout, proven) for place in range(CELLS)]
        except (Disagreement, NoQuad) as error:
            errors.append(error)
    return rows, errors
