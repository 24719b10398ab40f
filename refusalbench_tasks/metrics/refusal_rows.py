"""The replies of `nq` and `garage` as metrics and reports see them."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from operator import attrgetter
from typing import Any

import numpy as np

from refusalbench_tasks.metrics.refusal_counts import count_rows
from refusalbench_tasks.metrics.sample_facts import FACTS, GROUPS, SampleFacts
from refusalbench_tasks.metrics.scored_row import SCORING, Scored, ScoredRow, cluster_of, protocol_of, scoring
from refusalbench_tasks.outcome import Cluster, Outcome, Protocol
from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.stats.cluster import Floats, Mask
from refusalbench_tasks.taxonomy import Label

READ = FACTS, ("level", "codes", "confidence_asked", "retrieved_k", "gold_retrieved", *SCORING)
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
        **scoring(scored),
    )


class RefusalRows(tuple[RefusalRow, ...]):
    """The rows of a log, from which all its metrics are computed: what several of them need is computed once."""

    @cached_property
    def perturbed(self) -> "RefusalRows":
        """Return the rows that the main metrics are about."""
        return RefusalRows(row for row in self if not row.is_control)

    @cached_property
    def controls(self) -> "RefusalRows":
        """Return the unperturbed controls."""
        return RefusalRows(row for row in self if row.is_control)

    @cached_property
    def protocol(self) -> Protocol:
        """Return the protocol that the rows were scored by."""
        return protocol_of(self)

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Return the outcome of each row."""
        return [row.outcome for row in self]

    @cached_property
    def counts(self) -> Floats:
        """Return the count vector of each row, shape (n, WIDTH)."""
        return count_rows(self.outcomes)

    @cached_property
    def decided(self) -> Mask:
        """Return which replies were decided, shape (n,)."""
        return np.array([outcome.predicted is not None for outcome in self.outcomes], dtype=bool)

    @cached_property
    def refusals(self) -> Mask:
        """Return which replies were found to be refusals, shape (n,)."""
        refuse = [one.predicted is not None and one.predicted.is_refusal for one in self.outcomes]
        return np.array(refuse, dtype=bool)

    @cached_property
    def right(self) -> Mask:
        """Return which replies are known to be right, shape (n,)."""
        return np.array([right is True for right in self._rights], dtype=bool)

    @cached_property
    def right_is_known(self) -> Mask:
        """Return of which replies it is known whether they are right, shape (n,)."""
        return np.array([right is not None for right in self._rights], dtype=bool)

    @cached_property
    def _rights(self) -> list[bool | None]:
        return [outcome.right for outcome in self.outcomes]

    def where(self, chosen: Mask) -> "RefusalRows":
        """Return the chosen rows, with what was counted of all rows."""
        if chosen.all():
            return self
        rows = RefusalRows(compress(self, chosen))
        for name in ("counts", "decided", "refusals", "right", "right_is_known"):
            rows.__dict__[name] = getattr(self, name)[chosen]
        return rows

    @cached_property
    def clusters(self) -> list[str]:
        """Return the source question of each row."""
        return [outcome.cluster for outcome in self.outcomes]

    @cached_property
    def grounded(self) -> bool:
        """Return whether answers were to be graded against ten passages."""
        return any("eligible" in row.numbers for row in self)

    @cached_property
    def codes(self) -> bool:
        """Return whether refusal codes were asked for."""
        return all(row.outcome.codes for row in self)

    def units(self, cluster: Cluster | None = None) -> list[str]:
        """Return the name of what each row is resampled with: its question, or itself (by default as the run has it).

        A row is named by its item and not by its place, so that a seeded resample does not depend on their order.
        """
        if cluster_of(self, cluster) == "question":
            return self.clusters
        seen = Counter[str]()
        names = []
        for row in self:
            seen[row.facts.item] += 1
            names.append(f"{row.facts.item}#{seen[row.facts.item]:09d}")
        return names

    def groups(self, name: str) -> list[str]:
        """Return the group of each row, by a name in `GROUPS`; blank for none."""
        of_facts = attrgetter(GROUPS[name])
        return [of_facts(row.facts) for row in self]

    def column(self, name: str) -> Floats:
        """Return one number of each row, shape (n,), NaN where a row has none of the name."""
        return np.array([row.numbers.get(name, math.nan) for row in self], dtype=float)
