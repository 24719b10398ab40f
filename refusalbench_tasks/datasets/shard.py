"""Which part of a run's base questions one process takes: `shard=2/8` is the second of eight parts."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.selection import rank
from refusalbench_tasks.errors import DataError

Entry = TypeVar("Entry")
_FORM = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")
_BITS = 64


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


def dealt(strata: Iterable[tuple[str, str]], of: int, seed: int) -> dict[str, int]:
    """Return the part, from 1 to `of`, of every base question.

    `strata` gives base questions with what they are balanced by; the last word counts where one is named twice. The
    questions of a stratum are shuffled by the seed and dealt in turn, on from where the stratum before ended: parts
    differ by at most one question in all and by at most one in each stratum. Disjoint and complete for every `of`, and
    the same in whichever order the questions are given (our definition).
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for question, stratum in dict(strata).items():
        groups[stratum].append(question)
    turns = (
        question
        for stratum in sorted(groups, key=lambda name: rank(name, seed))
        for question in sorted(groups[stratum], key=lambda name: rank(name, seed))
    )
    return {question: turn % of + 1 for turn, question in enumerate(turns)}


def part_of(
    entries: Sequence[Entry],
    shard: Shard,
    seed: int,
    question: Callable[[Entry], str],
    stratum: Callable[[Entry], str],
) -> list[Entry]:
    """Return the entries of one part, in their order; all entries of a base question are in one part.

    A base question's stratum is how many entries it has and what `stratum` says of them, so that parts are alike in
    size and in kind. Raises DataError for a part without any entry.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        kinds[question(entry)].append(stratum(entry))
    where = dealt(((name, json.dumps(sorted(found))) for name, found in kinds.items()), shard.of, seed)
    part = [entry for entry in entries if where[question(entry)] == shard.shard]
    if not part:
        raise empty(shard, len(kinds))
    return part


def empty(shard: Shard, questions: int) -> DataError:
    """Return the error for a part that holds nothing, as there are fewer base questions than parts."""
    return DataError(
        f"shard {shard}: there are only {questions} base questions, and none is cut; use at most {questions} shards"
    )


def sum_fingerprint(items: Iterable[BaseModel]) -> str:
    """Return 16 hex digits that depend on the content of every item and not on their order.

    Unlike `fingerprint` it needs no item beside another: a sum of hashes, so a stream of any length has one.
    """
    total = sum(_hash(item) for item in items) % (1 << _BITS)
    return f"{total:016x}"


def _hash(item: BaseModel) -> int:
    content = json.dumps(item.model_dump(mode="json"), sort_keys=True)
    return int.from_bytes(hashlib.sha256(content.encode()).digest()[: _BITS // 8], "big")


def shard_facts(shard: Shard | None, whole: Sequence[BaseModel]) -> dict[str, Any]:
    """Return what a log says of its part and of the whole that it was cut from; nothing for a run that is whole."""
    if shard is None:
        return {}
    return {
        "shard": shard.shard,
        "of": shard.of,
        "whole_rows": len(whole),
        "whole_fingerprint": sum_fingerprint(whole),
        "whole_selected_fingerprint": fingerprint(whole),
    }
