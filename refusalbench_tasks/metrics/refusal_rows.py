"""The replies of `nq` and `garage` as metrics and reports see them."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.alike_rows import AlikeRows, Which
from refusalbench_tasks.metrics.old_counts import count_rows
from refusalbench_tasks.metrics.refusal_counts import WIDTH
from refusalbench_tasks.metrics.row_names import RowNames
from refusalbench_tasks.metrics.sample_facts import FACTS, GROUPS, SampleFacts
from refusalbench_tasks.metrics.scored_row import SCORING, Scored, ScoredRow, cluster_of, protocol_of, scoring
from refusalbench_tasks.outcome import Cluster, Outcome, Protocol
from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.stats.alike_clusters import alike_clusters
from refusalbench_tasks.stats.cluster import MANY, Floats, Mask, Numbers, Places, cluster_sums, places_of, without_gaps
from refusalbench_tasks.taxonomy import Label

READ = FACTS, ("level", "codes", "confidence_asked", "retrieved_k", "gold_retrieved", "epoch", *SCORING)
"""The names that a row reads in the metadata of its sample, and in those of its score."""
_label = cache(Label)
"""The label of a code, found faster than an enum finds it. Raises ValueError for what is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusalRow(ScoredRow):
    """One score: the outcome, what is known of the row, and the confidence that the reply states."""

    outcome: Outcome
    facts: SampleFacts
    level: Level | None = None
    confidence_asked: bool = False
    retrieved_k: int | None = None
    """How many passages the application retrieved; None if it told of none."""
    gold_retrieved: bool | None = None
    """Whether what its answer rests on was among them; None if that is unknown."""
    epoch: int = 0
    """Which reply to the sample this is, from 1; 0 where a score does not tell."""

    @property
    def is_control(self) -> bool:
        """Whether this is an unperturbed original beside the rows of the run."""
        return self.facts.control


def refusal_row(metadata: Mapping[str, Any], scored: Scored) -> RefusalRow:
    """Return the row of one sample's metadata and score. Raises KeyError or ValueError for what is none of ours."""
    facts, level = SampleFacts.of(metadata), scored.notes.get("level")
    expected, right = facts.expected or Label(metadata["expected"]), scored.numbers["right"]
    predicted = _label(scored.answer) if scored.answer and not scored.numbers["unscored"] else None
    codes = scored.notes.get("codes") is not False
    attempt = predicted is Label.ANSWER and expected is Label.ANSWER
    correct = bool(right) if attempt and not math.isnan(right) else None
    return RefusalRow(
        outcome=Outcome(expected, predicted, correct, str(metadata["source_id"]), codes),
        facts=facts,
        level=Level(level) if level else None,
        confidence_asked=bool(scored.notes.get("confidence_asked")),
        retrieved_k=k if isinstance(k := scored.notes.get("retrieved_k"), int) else None,
        gold_retrieved=hit if isinstance(hit := scored.notes.get("gold_retrieved"), bool) else None,
        epoch=epoch if isinstance(epoch := scored.notes.get("epoch"), int) else 0,
        **scoring(scored),
    )


class Units(NamedTuple):
    """What is resampled: the kind of each row, the place of its unit, and how many units are alike.

    Without `numbers` each unit is there.
    """

    which: Which
    places: Places
    numbers: Numbers | None

    def sums(self, vectors: Floats) -> Floats:
        """Return the sums of the vectors of each unit, given that of each kind."""
        return cluster_sums(vectors, self.places, self.which)


class RefusalRows(AlikeRows[RefusalRow]):
    """The rows of a log, from which all its metrics are computed: what several of them need is computed once.

    Where `names` are given, kinds have none, and rows get theirs when they are asked for.
    """

    names: RowNames | None

    def __init__(
        self, rows: Iterable[RefusalRow] = (), which: Which | None = None, names: RowNames | None = None
    ) -> None:
        super().__init__(rows, which)
        self.names = rows.names if isinstance(rows, RefusalRows) else names

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return found if isinstance(place, slice) or not self.names else self._named(found, place)

    def __iter__(self) -> Iterator[RefusalRow]:
        return map(self._named, super().__iter__(), range(len(self)))

    def _named(self, kind: RefusalRow, place: int) -> RefusalRow:
        if self.names is None:
            return kind
        source = self.question(place)
        facts = replace(kind.facts, item=self.names.items[place], source=source)
        epoch = int(self.names.epochs[place])
        return replace(kind, facts=facts, outcome=replace(kind.outcome, cluster=source), epoch=epoch)

    def at(self, places: NDArray[np.intp] | Mask) -> Self:
        """Return the rows at places, or those of a mask."""
        made = super().at(places)
        made.names = self.names and self.names.at(places)
        made.__dict__["vectors"] = self.vectors
        return made

    @cached_property
    def perturbed(self) -> "RefusalRows":
        """Return the rows that the main metrics are about."""
        return self.where(~self.mask(_is_control))

    @cached_property
    def controls(self) -> "RefusalRows":
        """Return the unperturbed controls."""
        return self.where(self.mask(_is_control))

    @cached_property
    def protocol(self) -> Protocol:
        """Return the protocol that the rows were scored by."""
        return protocol_of(row for row, _ in self.present)

    @cached_property
    def vectors(self) -> Floats:
        """Return the count vector of each kind, shape (kinds, WIDTH)."""
        return count_rows([row.outcome for row in self.kinds])

    @property
    def counts(self) -> Floats:
        """Return the count vector of each row, shape (n, WIDTH): 200 bytes a row, which many rows do better without."""
        counts: Floats = self.vectors[self.which]
        return counts

    def totals(self, mask: Mask | None = None) -> Floats:
        """Return the sum of the count vectors of all rows, or those of a mask, shape (WIDTH,)."""
        return self.total(self.vectors, mask)

    def units_to_draw(self, cluster: Cluster | None = None) -> Units:
        """Return what is resampled: units in the order of their names; of very many those that differ in their rows.

        Among so many, units with equal sums are drawn together, so that neither names nor order count.
        """
        if self.names is None or len(self) <= MANY:
            return Units(self.which, self.unit_places(cluster), None)
        if cluster_of((row for row, _ in self.present), cluster) == "row":
            kinds, numbers = np.unique(self.which, return_counts=True)
            return Units(kinds, np.arange(len(kinds)), numbers)
        places, n = without_gaps(self.names.clusters.astype(np.intp))
        if n <= MANY:
            return Units(self.which, self.unit_places(cluster), None)
        return Units(*alike_clusters(places, self.which, len(self.kinds)))

    def unit_sums(self, cluster: Cluster | None = None) -> Floats:
        """Return the sums of the count vectors of what is resampled, shape (units, WIDTH)."""
        return cluster_sums(self.vectors, self.unit_places(cluster), self.which)

    def group_sums(self, units: Places, *grouped: tuple[Places, int], which: Which | None = None) -> Floats:
        """Return the sums of the count vectors of each unit and group, shape (units, groups x WIDTH).

        A row has a place of its unit, of which none is left out. Of each kind of groups it has the place of its group;
        one below 0 is no group. With it stands how many groups there are of the kind. `which` are the kinds of rows
        that stand for these.
        """
        n, every = int(units.max(initial=-1)) + 1, self.which if which is None else which
        # counts are small whole numbers: of very many units they are held in half the bytes
        sums = np.zeros((n, sum(number for _, number in grouped), WIDTH), np.float64 if n <= MANY else np.float32)
        first = 0
        for groups, number in grouped:
            inside = groups >= 0
            cells, which = (units * number + groups)[inside], every[inside]
            for place, column in enumerate(self.vectors.T):
                if column.any():
                    of_kind = np.bincount(cells, column[which], n * number)
                    sums[:, first : first + number, place] = of_kind.reshape(n, number)
            first += number
        return sums.reshape(n, sums.shape[1] * WIDTH)

    @cached_property
    def decided(self) -> Mask:
        """Return which replies were decided, shape (n,)."""
        return self.mask(lambda row: row.outcome.predicted is not None)

    @cached_property
    def refusals(self) -> Mask:
        """Return which replies were found to be refusals, shape (n,)."""
        return self.mask(lambda row: row.outcome.predicted is not None and row.outcome.predicted.is_refusal)

    @cached_property
    def right(self) -> Mask:
        """Return which replies are known to be right, shape (n,)."""
        return self.mask(lambda row: row.outcome.right is True)

    @cached_property
    def right_is_known(self) -> Mask:
        """Return of which replies it is known whether they are right, shape (n,)."""
        return self.mask(lambda row: row.outcome.right is not None)

    @property
    def items(self) -> NDArray[np.object_]:
        """Return the item of each row."""
        if self.names is None:
            return self.each(lambda row: row.facts.item)
        items = self.names.items
        return items if isinstance(items, np.ndarray) else np.array(items.tolist(), dtype=object)

    @property
    def epochs(self) -> list[int]:
        """Return which reply to its item each row is, from 1: as the scores tell, else counted in the rows' order."""
        told = self.each(lambda row: row.epoch, np.int32) if self.names is None else self.names.epochs
        if told.all():
            epochs: list[int] = told.tolist()
            return epochs
        seen = Counter[str]()
        counted = []
        for item, epoch in zip(self.items.tolist(), told.tolist(), strict=True):
            seen[item] += 1
            counted.append(epoch or seen[item])
        return counted

    @property
    def clusters(self) -> NDArray[np.object_]:
        """Return the source question of each row."""
        if self.names is None:
            return self.each(lambda row: row.outcome.cluster)
        return np.array(self.names.questions, dtype=object)[self.names.clusters]

    def question(self, place: int) -> str:
        """Return the source question of one row."""
        return self.names.questions[self.names.clusters[place]] if self.names else self.kind(place).outcome.cluster

    @property
    def questions(self) -> int:
        """Return of how many source questions the rows are."""
        return len(set(self.clusters.tolist()) if self.names is None else np.unique(self.names.clusters))

    @cached_property
    def grounded(self) -> bool:
        """Return whether answers were to be graded against ten passages."""
        return any("eligible" in row.numbers for row, _ in self.present)

    @cached_property
    def codes(self) -> bool:
        """Return whether refusal codes were asked for."""
        return all(row.outcome.codes for row, _ in self.present)

    def units(self, cluster: Cluster | None = None) -> list[str]:
        """Return the name of what each row is resampled with: its question, or itself (by default as the run has it).

        A row is named by its item and epoch and not by its place: a seeded resample does not depend on the order.
        """
        if cluster_of((row for row, _ in self.present), cluster) == "question":
            questions: list[str] = self.clusters.tolist()
            return questions
        seen = Counter[str]()
        names = []
        for item, epoch in zip(self.items.tolist(), self.epochs, strict=True):
            name = f"{item}#{epoch:09d}"
            seen[name] += 1
            names.append(f"{name}#{seen[name]:09d}")
        return names

    def unit_places(self, cluster: Cluster | None = None) -> Places:
        """Return the place of what each row is resampled with, in the order of the names; no place is left out."""
        if self.names is None or cluster_of((row for row, _ in self.present), cluster) != "question":
            return places_of(self.units(cluster))
        there = np.zeros(len(self.names.questions), dtype=bool)
        there[self.names.clusters] = True
        rank = np.zeros(len(there), dtype=np.intp)
        rank[there] = places_of([self.names.questions[k] for k in np.flatnonzero(there).tolist()])
        return rank[self.names.clusters]

    def groups(self, name: str) -> NDArray[np.object_]:
        """Return the group of each row, by a name in `GROUPS`; blank for none."""
        return self.each(attrgetter(f"facts.{GROUPS[name]}"))

    def column(self, name: str) -> Floats:
        """Return one number of each row, shape (n,), NaN where a row has none of the name."""
        return self.each(lambda row: row.numbers.get(name, math.nan), float)


def _is_control(row: RefusalRow) -> bool:
    return row.is_control
