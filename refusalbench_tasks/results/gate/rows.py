"""The rows of a run that a rule is about, and those that nobody knows the verdict of."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.metrics.sample_facts import GROUPS
from refusalbench_tasks.results.logs.keyed_rows import Key, keyed, kinds_of, rows_where
from refusalbench_tasks.results.logs.run import AnyRun, RefusalRun

_REFUSAL_GROUPS, _HEDGING_GROUPS = tuple(GROUPS), ("topic", "ambiguity")
_MOST_NAMED = 12
"""How many groups an error names."""


@dataclass(frozen=True)
class Unscored:
    """The samples of a run of which nobody knows what was to be known, and all of them."""

    undecided: int
    ungraded: int
    """Answers that nobody could grade."""
    lost: int
    """Samples without a score (errors)."""
    never_run: int
    n: int

    @property
    def count(self) -> int:
        """Return how many there are of all kinds."""
        return self.undecided + self.ungraded + self.lost + self.never_run

    @property
    def share(self) -> float:
        """Return their share of all samples, in [0, 1]; NaN without samples."""
        return self.count / self.n if self.n else math.nan


def unscored(run: AnyRun, graded: bool) -> Unscored:
    """Return the unscored samples of a run, controls included; ungraded answers count only with `graded`."""
    undecided = _number(run, lambda row: not _decided(row))
    ungraded = _number(run, lambda row: _decided(row) and not _graded(row)) if graded else 0
    n = len(run.rows) + len(run.lost) + run.never_run
    return Unscored(undecided, ungraded, len(run.lost), run.never_run, n)


def part_of(run: AnyRun, where: Mapping[str, str], about: str) -> AnyRun:
    """Return a run with the scored rows of some groups alone.

    Raises DataError, which begins with `about`, for a group that there is not, and names those that there are.
    """
    if not where:
        return run
    known = _REFUSAL_GROUPS if isinstance(run, RefusalRun) else _HEDGING_GROUPS
    for name, value in where.items():
        if name not in known:
            raise DataError(f"{about}, field 'where': {run.task} has no groups of '{name}'; known: {', '.join(known)}")
        there = sorted({_group(row, name) for row in _kinds(run)} - {""})
        if value not in there:
            more = " …" if len(there) > _MOST_NAMED else ""
            named = ", ".join(there[:_MOST_NAMED]) or "none"
            raise DataError(f"{about}, field 'where.{name}': no row of '{value}'; there are: {named}{more}")
    return _with_rows(run, lambda row: all(_group(row, name) == value for name, value in where.items()))


def decided_in_both(run: AnyRun, baseline: AnyRun) -> AnyRun:
    """Return a run with the samples alone that are decided in it and in a baseline of its kind."""
    known = {key for key, decided in _decided_of(baseline) if decided}
    places = [place for place, (key, decided) in enumerate(_decided_of(run)) if decided and key in known]
    rows: Any = keyed(run.rows).at(places)
    return replace(run, rows=rows)


def _decided_of(run: AnyRun) -> Iterator[tuple[Key, bool]]:
    decided = run.every_row.decided if isinstance(run, RefusalRun) else map(_decided, run.rows.values())
    return zip(run.rows, decided, strict=True)


def _number(run: AnyRun, chosen: Callable[[RefusalRow | HedgingRow], bool]) -> int:
    """Return of how many rows something is true that does not depend on their names."""
    if isinstance(run, RefusalRun):
        return run.every_row.number(chosen)
    return sum(map(chosen, run.rows.values()))


def _kinds(run: AnyRun) -> Iterable[RefusalRow | HedgingRow]:
    return kinds_of(run.rows) if isinstance(run, RefusalRun) else run.rows.values()


def _with_rows(run: AnyRun, chosen: Callable[[RefusalRow | HedgingRow], bool]) -> AnyRun:
    rows: Any = rows_where(run.rows, chosen)
    return replace(run, rows=rows, lost={}, planned=0)


def _group(row: RefusalRow | HedgingRow, name: str) -> str:
    return row.facts.group(name) if isinstance(row, RefusalRow) else str(getattr(row, name))


def _decided(row: RefusalRow | HedgingRow) -> bool:
    return row.outcome.predicted is not None if isinstance(row, RefusalRow) else not row.numbers["unscored"]


def _graded(row: RefusalRow | HedgingRow) -> bool:
    if isinstance(row, RefusalRow):
        return row.outcome.right is not None
    return row.numbers["refused"] == 1 or not math.isnan(row.numbers["correctness"])
