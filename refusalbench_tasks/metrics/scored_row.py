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


def scoring(scored: Scored) -> dict[str, Any]:
    """Return the fields of `ScoredRow`."""
    notes = scored.notes
    return {
        "numbers": scored.numbers,
        "reason": scored.reason,
        "decided_by": notes.get("decided_by"),
        "graders": _once(*map(str, notes.get("graders") or ())),
        "self_graded": bool(notes.get("self_graded")),
        "protocol": notes.get("protocol") or None,
        "cluster": notes.get("cluster") or None,
    }


@lru_cache(maxsize=1024)
def _once(*names: str) -> tuple[str, ...]:
    """Return the names, equal ones as one object: a few graders are named by all rows of a run."""
    return names


def protocol_of(rows: Iterable[ScoredRow]) -> Protocol:
    """Return the protocol that the rows were scored by."""
    return next((row.protocol for row in rows if row.protocol), "paper")


def cluster_of(rows: Iterable[ScoredRow], given: Cluster | None = None) -> Cluster:
    """Return what is to be resampled: what is given, else what the run was told, else questions."""
    told = (row.cluster for row in rows if row.cluster)
    return given or next(told, None) or "question"
