"""Draws and orders that depend on a seed alone, parts of a run (`shard=2/8`), and what
identifies their content.
"""

import hashlib
import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator

from refusalbench_tasks.errors import DataError

logger = logging.getLogger(__name__)

Entry = TypeVar("Entry")
Key = TypeVar("Key", bound=Hashable)
Name = Callable[[Entry], str]
_FORM = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")
_OPTIONAL = {
    "accepted_alternatives",
    "ambiguity",
    "ambiguity_kind",
    "answer_type",
    "conflict_about",
    "factors",
    "intrinsic",
    "knobs",
    "pair",
    "question_id",
}
"""What few data sets have: where it is missing, the fingerprint is that of logs from
before it was read.
"""
_NO_CONTENT = {"ambiguity_explanation", "columns", "control"}
"""What does not make a row another one."""


def rank(name: str, seed: int) -> bytes:
    """Return a sort key that depends on the name and the seed, the same on every
    machine.
    """
    return hashlib.sha256(f"{seed}|{name}".encode()).digest()


def take_turns(groups: Sequence[Sequence[Entry]]) -> list[Entry]:
    """Return the first entry of each group in their order, then the second of each, and
    so on, until all are used.
    """
    longest = max(map(len, groups), default=0)
    entries = []
    for turn in range(longest):
        entries += [group[turn] for group in groups if turn < len(group)]
    return entries


def grouped(
    entries: Iterable[Entry],
    key: Callable[[Entry], Key],
) -> dict[Key, list[Entry]]:
    """Return the entries by what the key says of them, in their order."""
    groups = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return dict(groups)


def warn_of_small(
    argument: str,
    wanted: int,
    sizes: Mapping[str, int],
) -> None:
    """Warn of the groups that hold fewer than an argument wants of each."""
    small = {name: size for name, size in sizes.items() if size < wanted}
    if small:
        name = min(small, key=small.__getitem__)
        logger.warning(
            "%s=%d: %d of %d groups hold fewer (the smallest, %s, %d); all of theirs"
            " are used",
            argument,
            wanted,
            len(small),
            len(sizes),
            name,
            small[name],
        )


@dataclass(frozen=True)
class Shard:
    """One of the parts that a run is cut into, counted from 1."""

    shard: int
    of: int

    def __str__(self) -> str:
        return f"{self.shard}/{self.of}"


def shard_of(argument: str | None) -> Shard | None:
    """Return the part that `i/n` names, 1 <= i <= n; None for no argument.

    Raises DataError for another form.
    """
    if argument is None:
        return None
    match = _FORM.fullmatch(str(argument))
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise DataError(
            "shard: expected i/n, with i from 1 to n (the first of eight is 1/8), got"
            f" {argument!r}"
        )
    return Shard(int(match[1]), int(match[2]))


ShardArgument = Annotated[
    Shard | None, BeforeValidator(shard_of, json_schema_input_type=str | None)
]
"""The argument `shard` of a task."""


def shard_entries(
    entries: Sequence[Entry],
    shard: Shard | None,
    seed: int,
    question: Name[Entry],
    stratum: Name[Entry],
) -> list[Entry]:
    """Return the entries of one part, in their order, with whole base questions; all
    entries without a shard.

    Questions whose entries are of the same strata are shuffled by the seed and dealt in
    turn: parts differ by at most one question in all and in each kind, are disjoint and
    complete, and do not depend on the order of the entries. Raises DataError for a part
    without any entry.
    """
    if shard is None:
        return list(entries)
    kinds = {}
    for name, alike in grouped(entries, question).items():
        kinds[name] = json.dumps(sorted(map(stratum, alike)))
    # questions of one kind beside each other
    dealt = sorted(kinds, key=lambda name: (rank(kinds[name], seed), rank(name, seed)))
    mine = set(dealt[shard.shard - 1 :: shard.of])
    if not mine:
        raise DataError(
            f"shard {shard}: there are only {len(dealt)} base questions; use at most"
            f" {len(dealt)} shards"
        )
    return [entry for entry in entries if question(entry) in mine]


def shard_facts(
    shard: Shard | None,
    whole: Sequence[BaseModel],
) -> dict[str, Any]:
    """Return what a log says of its part and of the whole that it was cut from; nothing
    for a run that is whole.
    """
    if shard is None:
        return {}
    part = {"shard": shard.shard, "of": shard.of}
    return part | {"whole_rows": len(whole), "whole_fingerprint": fingerprint(whole)}


def fingerprint(items: Sequence[BaseModel]) -> str:
    """Return 16 hex digits that depend on the content of every item, not on their
    order, `control`, `columns` or an explanation.
    """
    lines = []
    for item in items:
        content = item.model_dump(mode="json", exclude=_NO_CONTENT)
        for name in _OPTIONAL & content.keys():
            if content[name] in (None, [], "", {}, False):
                del content[name]
        lines.append(json.dumps(content, sort_keys=True))
    text = "\n".join(sorted(lines))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
