"""The texts of accepted candidates in files, and what is needed of them before one is written."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.brief import Brief
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.grams import GramSets, Ints, OnDisk, Texts, changed_grams, input_digest
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.released_rows import DIGITS, row_of

Places = NDArray[np.void]
_PLACE = np.dtype(
    [("words", "u8", 2), ("name", "u8"), ("row", "u8"), ("row_size", "u4"), ("base", "u8"), ("base_size", "u4"),
     ("grams", "u4"), ("multi", "?")]
)  # fmt: skip
"""Of an accepted candidate: the digest of its words, the number in its row's id, where its row and its base stand and
how many bytes they take, how many grams it changed, whether it has several passages."""
_PACKED = Struct("<16sQQIQII?")
"""The same as bytes."""
_AT_ONCE = 256
"""Of so many candidates at a time it is told what they changed."""
_READ_AT_ONCE = 4096
"""So many texts are looked up together."""
_ID = '{"id": "'


class TextKeeper:
    """Writes the texts of the accepted candidates of one run to files of a folder."""

    def __init__(self, folder: Path, run: int) -> None:
        self._files = [(folder / f"{run}.{kind}").open("wb") for kind in ("rows", "bases", "grams")]
        self._places = bytearray()
        self._bases: dict[bytes, int] = {}
        self._texts: list[Texts] = []
        self._sizes: list[Ints] = []

    def keep(self, item: Generated) -> int:
        """Keep the texts of a candidate and return its place, from 0."""
        assert item.candidate is not None
        row, base, (query, passages) = row_of(item, ""), item.slot.base, item.key
        # whatever may be wrong with a text is found before anything is kept
        text, texts = _json(row), [(base.query, query), *zip(base.passages, passages, strict=True)]
        name = int(str(row["id"])[-DIGITS:], 16)
        where = self._files[0].tell(), len(text), *self._base(base)
        self._places += _PACKED.pack(input_digest(query, passages), name, *where, 0, item.slot.multi)
        self._files[0].write(text)
        self._texts.append(texts)
        if len(self._texts) == _AT_ONCE:
            self._write_grams()
        return len(self._places) // _PACKED.size - 1

    def _base(self, base: RefusalItem) -> tuple[int, int]:
        text, known = _base_line(base)
        if known not in self._bases:
            self._bases[known] = self._files[1].tell()
            self._files[1].write(text)
        return self._bases[known], len(text)

    def _write_grams(self) -> None:
        grams, sizes = changed_grams(self._texts)
        self._files[2].write(grams.tobytes())
        self._sizes.append(sizes)
        self._texts.clear()

    def close(self) -> Places:
        """Close the files and return what was kept."""
        self._write_grams()
        for file in self._files:
            file.close()
        places = np.frombuffer(self._places, _PLACE)
        places["grams"] = np.concatenate(self._sizes)
        return places


@lru_cache(maxsize=1024)
def _base_line(base: RefusalItem) -> tuple[bytes, bytes]:
    """Return a base question as a line of JSON, and the digest of that."""
    text = _json(base_row(base))
    return text, blake2b(text, digest_size=16).digest()


def _json(row: Mapping[str, Any]) -> bytes:
    return (json.dumps(row, ensure_ascii=False) + "\n").encode()


@dataclass(frozen=True)
class KeptTexts:
    """The texts of the accepted candidates of several runs, by their places in the runs one after another."""

    folder: Path
    runs: tuple[int, ...]
    """Their numbers, in order."""
    places: Places
    starts: Mapping[int, int]
    """The first place of each run."""

    @staticmethod
    def of(folder: Path, kept: Mapping[int, Places]) -> "KeptTexts":
        """Return what was kept in a folder, by the numbers of the runs."""
        sizes = [len(places) for places in kept.values()]
        starts = dict(zip(kept, np.cumsum([0, *sizes])[:-1].tolist(), strict=True))
        every = np.concatenate([*kept.values(), np.empty(0, _PLACE)])
        return KeptTexts(folder, tuple(kept), every, starts)

    def places_of(self, items: Sequence[Brief]) -> NDArray[np.int64]:
        """Return the places of accepted candidates."""
        return np.fromiter((self.starts[item.run] + item.at for item in items), np.int64, len(items))

    def names_of(self, items: Sequence[Brief]) -> list[str]:
        """Return the digits at the end of the ids of rows."""
        return [f"{name:0{DIGITS}x}" for name in self.places["name"][self.places_of(items)].tolist()]

    @property
    def grams(self) -> GramSets:
        """Return what each candidate changed."""
        sizes = self.places["grams"].astype(np.int64)
        return GramSets(OnDisk([self.folder / f"{run}.grams" for run in self.runs]), np.cumsum(sizes) - sizes, sizes)

    def rows(self, items: Iterable[Brief], prefix: str) -> Iterator[bytes]:
        """Yield the released row of each item as a line of JSON, with an id that begins with the prefix."""
        begin = json.dumps(prefix, ensure_ascii=False)[1:-1]
        head = f"{_ID}{begin}".encode()
        for line in self._lines(items, "row"):
            yield head + line[len(_ID) :]

    def bases(self, items: Sequence[Brief]) -> Iterator[bytes]:
        """Yield the base questions of items as lines of JSON, by their ids; of two with one id the later one counts."""
        last: dict[tuple[int, int], Brief] = {}
        for item, base in zip(items, self.places["base"][self.places_of(items)].tolist(), strict=True):
            where = item.run, base
            last.pop(where, None)
            last[where] = item
        named = {
            json.loads(line)["id"]: item
            for item, line in zip(last.values(), self._lines(last.values(), "base"), strict=True)
        }
        yield from self._lines((named[name] for name in sorted(named)), "base")

    def _lines(self, items: Iterable[Brief], kind: str) -> Iterator[bytes]:
        files = {run: os.open(self.folder / f"{run}.{kind}s", os.O_RDONLY) for run in self.runs}
        try:
            left = iter(items)
            while some := list(islice(left, _READ_AT_ONCE)):
                places = self.places[self.places_of(some)]
                sizes, starts = places[f"{kind}_size"].tolist(), places[kind].tolist()
                for item, size, start in zip(some, sizes, starts, strict=True):
                    yield os.pread(files[item.run], size, start)
        finally:
            for file in files.values():
                os.close(file)
