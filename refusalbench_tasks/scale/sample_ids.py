"""The ids of a shard's samples, packed: a million of them as Python's own objects take a hundred megabytes."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from pydantic_core import from_json, to_json

Id = str | int
Log = TypeVar("Log")


@dataclass(frozen=True)
class SampleIds:
    """The ids of a shard's samples in their order."""

    number: int
    packed: bytes
    """A JSON array, packed."""

    @classmethod
    def of(cls, ids: Iterable[Id]) -> "SampleIds":
        """Return ids packed."""
        listed = list(ids)
        return cls(len(listed), zlib.compress(to_json(listed), 1))

    def __len__(self) -> int:
        return self.number

    def __iter__(self) -> Iterator[Id]:
        return iter(from_json(self.json(), cache_strings=False))

    def json(self) -> bytes:
        """Return them as a JSON array."""
        return zlib.decompress(self.packed)


def shared_id(logs: Sequence[tuple[Log, SampleIds]]) -> tuple[Id, Log, Log] | None:
    """Return the first id that is in a log and in one before it, and the two logs; None if there is none."""
    hashes = np.fromiter((hash(name) for _, ids in logs for name in ids), np.int64)
    hashes.sort()
    twice = frozenset(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    places: dict[Id, int] = {}
    # equal hashes need not be equal ids
    for place, (_, ids) in enumerate(logs if twice else ()):
        for name in ids:
            if hash(name) in twice and places.setdefault(name, place) != place:
                return name, logs[places[name]][0], logs[place][0]
    return None
