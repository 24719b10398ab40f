"""One scored sample as metrics and reports see it, whatever tool wrote the log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from refusalbench_tasks.outcome import Cluster, Protocol


@dataclass(frozen=True)
class Scored:
    """A score of ours as plain values: its numbers (NaN is unknown), and what was noted of how it came about."""

    numbers: Mapping[str, float]
    answer: str | None = None
    reason: str | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredRow:
    """What the rows of all our scores have: numbers, who decided, and why it is unscored if it is."""

    numbers: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None
    decided_by: str | None = None
    graders: tuple[str, ...] = ()
    self_graded: bool = False
    protocol: Protocol | None = None
    cluster: Cluster | None = None
    """What the run was told to resample."""


SCORING = ("decided_by", "graders", "self_graded", "protocol", "cluster")
"""The names in a score's metadata that `scoring` reads."""


def scoring(scored: Scored) -> dict[str, Any]:
    """Return the fields of `ScoredRow`."""
    note = scored.notes.get
    graders, self_graded = note("graders"), bool(note("self_graded"))
    about = scored.reason, note("decided_by"), self_graded, note("protocol") or None, note("cluster") or None
    return {"numbers": scored.numbers} | _same(*about, *map(str, graders or ()))


@lru_cache(maxsize=1024)
def _same(
    reason: str | None, decided_by: str | None, self_graded: bool, protocol: Any, cluster: Any, *graders: str
) -> dict[str, Any]:
    """Return what many rows of a run have alike, as the same objects."""
    return {
        "reason": reason,
        "decided_by": decided_by,
        "graders": graders,
        "self_graded": self_graded,
        "protocol": protocol,
        "cluster": cluster,
    }


def protocol_of(rows: Iterable[ScoredRow]) -> Protocol:
    """Return the protocol that the rows were scored by."""
    return next((row.protocol for row in rows if row.protocol), "paper")


def cluster_of(rows: Iterable[ScoredRow], given: Cluster | None = None) -> Cluster:
    """Return what is to be resampled: what is given, else what the run was told, else questions."""
    told = (row.cluster for row in rows if row.cluster)
    return given or next(told, None) or "question"
