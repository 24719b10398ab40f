"""Which part of a run's base questions one process takes: `shard=2/8` is the second of eight parts."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator

from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.errors import DataError

Entry = TypeVar("Entry")
_FORM = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")


@dataclass(frozen=True)
class Shard:
    """One of the parts that a run is cut into, counted from 1."""

    shard: int
    of: int

    def __str__(self) -> str:
        return f"{self.shard}/{self.of}"


def shard_of(argument: str | None) -> Shard | None:
    """Return the part that `i/n` names, 1 <= i <= n; None for no argument. Raises DataError for another form."""
    if argument is None:
        return None
    found = _FORM.fullmatch(str(argument))
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise DataError(f"shard: expected i/n, with i from 1 to n (the first of eight is 1/8), got {argument!r}")
    return Shard(int(found[1]), int(found[2]))


ShardArgument = Annotated[Shard | None, BeforeValidator(shard_of)]
"""The argument `shard` of a task."""


def part_of(
    entries: Sequence[Entry],
    shard: Shard,
    seed: int,
    question: Callable[[Entry], str],
    stratum: Callable[[Entry], str],
) -> list[Entry]:
    """Return the entries of one part, in their order; all entries of a base question are in one part.

    A base question's stratum is how many entries it has and what `stratum` says of them. The questions of a stratum are
    shuffled by the seed and dealt in turn, on from where the stratum before ended: parts differ by at most one question
    in all and by at most one in each stratum. Disjoint and complete for every number of parts, and the same in
    whichever order the entries are given (our definition). Raises DataError for a part without any entry.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        kinds[question(entry)].append(stratum(entry))
    strata: dict[str, list[str]] = defaultdict(list)
    for name, found in kinds.items():
        strata[json.dumps(sorted(found))].append(name)
    by_seed = sorted(strata, key=lambda name: rank(name, seed))
    dealt = [name for kind in by_seed for name in sorted(strata[kind], key=lambda name: rank(name, seed))]
    mine = set(dealt[shard.shard - 1 :: shard.of])
    if not mine:
        known = f"there are only {len(dealt)} base questions, and none is cut"
        raise DataError(f"shard {shard}: {known}; use at most {len(dealt)} shards")
    return [entry for entry in entries if question(entry) in mine]


def shard_facts(shard: Shard | None, whole: Sequence[BaseModel]) -> dict[str, Any]:
    """Return what a log says of its part and of the whole that it was cut from; nothing for a run that is whole."""
    if shard is None:
        return {}
    return {
        "shard": shard.shard,
        "of": shard.of,
        "whole_rows": len(whole),
        "whole_fingerprint": fingerprint(whole),
    }
