"""The replies of BLUFF-1000 as the metrics see them: rows, columns, and pairs of arms."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Literal, get_args

import numpy as np

from refusalbench_tasks.metrics.hedging_index import WRONG_BELOW
from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.scored_row import cluster_of, protocol_of
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.stats.cluster import Floats, Mask, Places, places_of

Dropped = Literal["missing_arm", "unscored", "refused", "no_confidence"]
DROPPED: tuple[Dropped, ...] = get_args(Dropped)


@dataclass(frozen=True)
class Pair:
    """The two replies to one question; `dropped` says why the pair does not enter the published figures."""

    question: str
    clear: HedgingRow | None
    ambiguous: HedgingRow | None
    unit: str = ""
    """What the pair is resampled with."""

    @cached_property
    def dropped(self) -> Dropped | None:
        """Return the first reason that applies, None for a pair that is kept."""
        if self.clear is None or self.ambiguous is None:
            return "missing_arm"
        both = (self.clear.numbers, self.ambiguous.numbers)
        if any(numbers["unscored"] for numbers in both):
            return "unscored"
        if self.clear.left_out or self.ambiguous.left_out:
            return "refused"
        return "no_confidence" if any(math.isnan(numbers["confidence"]) for numbers in both) else None


class HedgingRows(tuple[HedgingRow, ...]):
    """The rows of a log, from which all its metrics are computed: a column is made once, whatever asks for it."""

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        return {}

    def column(self, name: str) -> Floats:
        """Return one number of each row, shape (n,), NaN where it is unknown. Raises KeyError if a row has none."""
        if name not in self._columns:
            self._columns[name] = np.array([row.numbers[name] for row in self], dtype=float)
        return self._columns[name]

    @cached_property
    def published(self) -> "HedgingRows":
        """Return the rows under clear or ambiguous sources, of which alone the paper's metrics are."""
        both = self.clear | self.ambiguous
        return self if both.all() else HedgingRows(row for row, inside in zip(self, both, strict=True) if inside)

    @cached_property
    def density(self) -> Floats:
        """Return hedge terms per word of each row, shape (n,)."""
        density: Floats = self.column("hedges") / np.maximum(self.column("words"), 1)
        return density

    @cached_property
    def clear(self) -> Mask:
        """Return which rows are under clear sources, shape (n,)."""
        return np.array([row.arm == "clear" for row in self], dtype=bool)

    @cached_property
    def ambiguous(self) -> Mask:
        """Return which rows are under ambiguous sources, shape (n,)."""
        return np.array([row.arm == "ambiguous" for row in self], dtype=bool)

    def of_ambiguity(self, name: str) -> Mask:
        """Return which rows are under ambiguous sources of the kind, `open` or `inferable`, shape (n,)."""
        chosen: Mask = self.ambiguous & np.array([row.ambiguity == name for row in self], dtype=bool)
        return chosen

    @cached_property
    def left_out(self) -> Mask:
        """Return which rows the hedging metrics and the index leave out as refusals, shape (n,)."""
        in_text = np.array([row.refusal_in_text for row in self], dtype=bool)
        left_out: Mask = (self.column("refused") == 1) | in_text
        return left_out

    @cached_property
    def answered(self) -> Mask:
        """Return which replies are known to be answers, shape (n,)."""
        answered: Mask = self.column("refused") == 0
        return answered

    @cached_property
    def graded(self) -> Mask:
        """Return which replies are known to be answers and have a grade, shape (n,)."""
        return self.answered & ~np.isnan(self.column("correctness"))

    @cached_property
    def right(self) -> Mask:
        """Return which replies are known to be right answers, shape (n,)."""
        right: Mask = self.answered & (self.column("correctness") >= WRONG_BELOW)
        return right

    @cached_property
    def right_is_known(self) -> Mask:
        """Return of which replies it is known whether they are right answers, shape (n,): a refusal is none."""
        known: Mask = ~self.answered | ~np.isnan(self.column("correctness"))
        return known

    def where(self, chosen: Mask) -> "HedgingRows":
        """Return the chosen rows, with the columns that were made of all rows."""
        if chosen.all():
            return self
        rows = HedgingRows(compress(self, chosen))
        rows._columns.update({name: column[chosen] for name, column in self._columns.items()})
        for name in ("clear", "ambiguous", "left_out"):
            rows.__dict__[name] = getattr(self, name)[chosen]
        return rows

    def without_grades(self, lost: Mask) -> "HedgingRows":
        """Return the rows, of which some are as if nobody had graded them."""
        if not lost.any():
            return self
        rows = HedgingRows(_ungraded(row) if gone else row for row, gone in zip(self, lost, strict=True))
        kept = {name: column for name, column in self._columns.items() if name != "correctness"}
        rows._columns.update(kept)
        return rows

    @cached_property
    def undecided_offline(self) -> bool:
        """Whether some reply is undecided for want of a grader: then plain refusals alone are known."""
        return any(row.reason == "undecided_offline" for row in self)

    @cached_property
    def questions(self) -> list[str]:
        """Return the question that each row asks."""
        return [row.asked for row in self]

    @cached_property
    def cluster(self) -> Cluster:
        """Return what the run was told to resample."""
        return cluster_of(self)

    @cached_property
    def units(self) -> list[str]:
        """Return what each row is resampled with: its question, or itself where the run takes rows for independent."""
        if self.cluster == "question":
            return self.questions
        return [f"{row.question}#{row.arm}#{row.epoch:09d}" for row in self]

    def units_of(self, chosen: Mask) -> list[str]:
        """Return the units of the chosen rows."""
        return [unit for unit, inside in zip(self.units, chosen, strict=True) if inside]

    @cached_property
    def unit_places(self) -> Places:
        """Return the place of each row's unit in the order of the units' names, shape (n,)."""
        return places_of(self.units)

    @cached_property
    def pairs(self) -> list[Pair]:
        """Return one pair per question and epoch, by their ids, in the order of the ids."""
        arms: dict[tuple[str, int], dict[str, HedgingRow]] = defaultdict(dict)
        for row in self:
            arms[row.question, row.epoch][row.arm] = row
        return [
            Pair(name, arms[name, epoch].get("clear"), arms[name, epoch].get("ambiguous"), self._unit(name, epoch))
            for name, epoch in sorted(arms)
        ]

    def _unit(self, question: str, epoch: int) -> str:
        return self._asked[question] if self.cluster == "question" else f"{question}#{epoch:09d}"

    @cached_property
    def _asked(self) -> dict[str, str]:
        return {row.question: row.asked for row in self}

    @cached_property
    def protocol(self) -> Protocol:
        """Return the protocol that the rows were scored by."""
        return protocol_of(self)


def _ungraded(row: HedgingRow) -> HedgingRow:
    return replace(row, numbers={**row.numbers, "correctness": math.nan})


def pair_arrays(pairs: Iterable[Pair]) -> tuple[Floats, Floats, Floats, Floats]:
    """Return confidence (clear, ambiguous) and hedging density (clear, ambiguous) of whole pairs, shape (n,) each."""
    both = [(pair.clear, pair.ambiguous) for pair in pairs if pair.clear and pair.ambiguous]
    first, second = HedgingRows(clear for clear, _ in both), HedgingRows(ambiguous for _, ambiguous in both)
    return first.column("confidence"), second.column("confidence"), first.density, second.density
