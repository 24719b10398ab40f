"""The rows of a log as its samples are read one by one: what many samples repeat is made once."""

import marshal
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.files.narrow_json import Members
from refusalbench_tasks.metrics.refusal_rows import READ, RefusalRow, RefusalRows, refusal_row
from refusalbench_tasks.metrics.row_names import RowNames
from refusalbench_tasks.metrics.sample_facts import FACTS
from refusalbench_tasks.metrics.scored_row import Scored
from refusalbench_tasks.results.logs.keyed_rows import SameValues

Row = TypeVar("Row")
_NAMES = ("source_id", "item_id")
"""What tells rows of one kind apart."""
_NAMELESS = dict.fromkeys(_NAMES, "")
_ABOUT = tuple(name for name in FACTS if name not in _NAMES)
_NOTED = tuple(name for name in READ[1] if name != "epoch")
_MOST = 1 << 16
"""So many kinds are remembered to be found again."""


def wanted(scorer: str, facts: Iterable[str], notes: Iterable[str]) -> Members:
    """Return what rows read of a summary: these names in the metadata of the sample, and those in its score's."""
    score = {"value": None, "answer": None, "reason": None, "metadata": dict.fromkeys(notes)}
    return {"id": None, "epoch": None, "metadata": dict.fromkeys((*FACTS, *facts)), "scores": {scorer: score}}


class GrowingRows(Generic[Row]):
    """Takes the scores of one scorer, sample by sample, each as a row of its own."""

    def __init__(self, scorer: str, row_of: Callable[[Mapping[str, Any], Scored], Row]) -> None:
        self._scorer, self._row_of, self._same = scorer, row_of, SameValues()
        self._rows: list[Row] = []

    def add(self, name: str, sample: Mapping[str, Any]) -> bool:
        """Take a sample with the id `name`, or its summary; return whether it has a score of that scorer.

        Raises what making a row raises.
        """
        score = (sample.get("scores") or {}).get(self._scorer)
        if score is None or not isinstance(score["value"], Mapping):
            return False
        self._take(name, sample.get("epoch") or 0, sample.get("metadata") or {}, score)
        return True

    def _take(self, name: str, epoch: int, metadata: Mapping[str, Any], score: Mapping[str, Any]) -> None:
        self._rows.append(self._made(name, metadata, score))

    def _made(self, name: str, metadata: Mapping[str, Any], score: Mapping[str, Any]) -> Row:
        # a tool that can't write NaN writes null, and what is not known must not become a 0
        numbers, notes = self._same.numbers(score["value"]), score.get("metadata") or {}
        scored = Scored(numbers, score.get("answer"), score.get("reason"), notes)
        return self._row_of(self._same.facts(metadata, name), scored)

    def rows(self) -> Sequence[Row]:
        """Return the rows of all samples that have a score, in their order."""
        return self._rows


class GrowingKinds(GrowingRows[RefusalRow]):
    """Takes scores of `refusal_scores` or `grounded_scores`: of rows that differ in their names alone one is made."""

    def __init__(self, scorer: str) -> None:
        super().__init__(scorer, refusal_row)
        self._encode = _encoder()
        self._kinds: dict[bytes, int] = {}
        self._which, self._epochs, self._clusters = array("i"), array("i"), array("i")
        self._items: list[str] = []
        self._questions: dict[str, int] = {}

    def _take(self, name: str, epoch: int, metadata: Mapping[str, Any], score: Mapping[str, Any]) -> None:
        item, source = str(metadata.get("item_id") or ""), str(metadata["source_id"])
        key = self._key(metadata, score)
        kind = self._kinds.get(key) if key is not None else None
        if kind is None:
            kind = len(self._rows)
            self._rows.append(self._made(name, {**metadata, **_NAMELESS}, score))
            if key is not None and kind < _MOST:
                self._kinds[key] = kind
        self._which.append(kind)
        self._epochs.append(epoch)
        # the id of a sample is often that of its item
        self._name(name if item == name else item, source)

    def _name(self, item: str, source: str) -> None:
        self._items.append(item)
        self._clusters.append(self._questions.setdefault(source, len(self._questions)))

    def _key(self, metadata: Mapping[str, Any], score: Mapping[str, Any]) -> bytes | None:
        """Return everything that a row is made of but its names, as bytes; None for what can't be written so."""
        about, noted = metadata.get, (score.get("metadata") or {}).get
        parts = (
            (score["value"], score.get("answer"), score.get("reason"), "control" in metadata),
            tuple([about(name) for name in _ABOUT]),
            tuple([noted(name) for name in _NOTED]),
        )
        try:
            return self._encode(parts)
        except (TypeError, ValueError, OverflowError):
            return None

    def rows(self) -> RefusalRows:
        """Return the rows of all samples that have a score, in their order."""
        names = self._names(np.array(self._epochs, dtype=np.int32))
        return RefusalRows(self._rows, np.array(self._which, dtype=np.int32), names)

    def _names(self, epochs: NDArray[np.int32]) -> RowNames:
        items = np.empty(len(self._items), dtype=object)
        items[:] = self._items
        return RowNames(items, epochs, np.array(self._clusters, dtype=np.int32), tuple(self._questions))


def _encoder() -> Callable[[Any], bytes]:
    """Return what gives different bytes for different values; unlike JSON, for NaN and infinity too."""
    try:
        from msgspec.msgpack import encode
    except ModuleNotFoundError:
        return marshal.dumps
    return encode
