"""How far each shard of a run is, by the logs of the attempts at it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Attempt:
    """One log of a shard: how many samples are finished in it, and when it was begun."""

    shard: int
    log: str
    finished: bool
    samples: int
    created: str


@dataclass(frozen=True)
class Standing:
    """A shard: finished, or with the attempt to go on from, or not begun (`log` is None)."""

    shard: int
    finished: bool = False
    log: str | None = None
    samples: int = 0
    """Finished samples, of the attempt that counts."""


def standings(attempts: Iterable[Attempt], shards: int) -> tuple[Standing, ...]:
    """Return where each shard from 1 to `shards` stands.

    A finished attempt counts, the newest of several. Else the one with the most finished samples does, so that what it
    has is not paid for again; one without any is begun anew.
    """
    found: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        found[attempt.shard].append(attempt)
    return tuple(_standing(shard, found[shard]) for shard in range(1, shards + 1))


def _standing(shard: int, attempts: list[Attempt]) -> Standing:
    finished = [attempt for attempt in attempts if attempt.finished]
    if finished:
        best = max(finished, key=lambda attempt: attempt.created)
        return Standing(shard, True, best.log, best.samples)
    begun = [attempt for attempt in attempts if attempt.samples]
    if begun:
        best = max(begun, key=lambda attempt: (attempt.samples, attempt.created))
        return Standing(shard, False, best.log, best.samples)
    return Standing(shard)
