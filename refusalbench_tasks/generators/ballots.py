"""Candidates as tables of agreement count them: a few bytes each, so that a million of them fit into memory."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.stats.cluster import Mask
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

Numbers = NDArray[np.int32]


class Ballot(NamedTuple):
    """What many candidates share: who wrote them for which cell, and what came of them."""

    writer: str
    perturbation: PerturbationClass
    intensity: Intensity
    lever: str
    first: bool
    """Whether it is the first attempt at its slot."""
    written: bool
    accepted: bool | None
    panel_share: float
    broken: bool
    """Whether a rule rejected it."""
    votes: tuple[tuple[str, bool | None], ...]
    """Each verifier with what it said; None if that is nothing."""

    @property
    def judged(self) -> bool:
        """Whether a first attempt has every vote of a panel that was to vote whatever the outcome."""
        complete = bool(self.votes) and all(passed is not None for _, passed in self.votes)
        return self.first and self.panel_share > 0 and complete

    @property
    def cast(self) -> Mapping[str, bool]:
        """Return what each verifier said that said something."""
        return {verifier: passed for verifier, passed in self.votes if passed is not None}

    @property
    def gated(self) -> bool:
        """Whether a blind reading rejected it, so that nobody was asked to vote."""
        return self.accepted is False and not self.broken and not self.votes


def ballot_of(item: Counted) -> Ballot:
    """Return what a candidate shares with others."""
    votes = tuple((vote.verifier, vote.passed) for vote in item.votes)
    return Ballot(item.writer, item.perturbation, item.intensity, item.lever, item.attempt == 1, item.written,
                  item.accepted, item.panel_share, bool(item.broken), votes)  # fmt: skip


@dataclass(frozen=True)
class Ballots:
    """Candidates: the number of each one's kind, and the places of its slot and its base question in order of name.

    Every kind occurs.
    """

    kinds: Sequence[Ballot]
    which: Numbers
    slots: Numbers
    sources: Numbers

    @classmethod
    def of(cls, items: Iterable[Counted]) -> "Ballots":
        """Return candidates that are held one by one."""
        growing = GrowingBallots()
        for item in items:
            growing.add(item)
        return growing.ballots()

    @classmethod
    def without_places(cls, items: Iterable[Counted]) -> "Ballots":
        """Return candidates of which only the kinds are asked for: a name for each slot would be held meanwhile."""
        kinds: dict[Ballot, int] = {}
        which = np.fromiter((kinds.setdefault(ballot_of(item), len(kinds)) for item in items), np.int32)
        nowhere = np.zeros_like(which)
        return cls(tuple(kinds), which, nowhere, nowhere)

    def __len__(self) -> int:
        return len(self.which)

    @property
    def writers(self) -> list[str]:
        """Return the models that wrote them, in the order of their names."""
        return sorted({kind.writer for kind in self.kinds})

    def at(self, places: NDArray[np.intp] | Mask) -> "Ballots":
        """Return the candidates at places, or those of a mask, with the kinds that occur among them."""
        which = self.which[places]
        there = np.bincount(which, minlength=len(self.kinds)) > 0
        kinds = tuple(self.kinds[kind] for kind in np.flatnonzero(there).tolist())
        here = np.cumsum(there, dtype=np.int32) - np.int32(1)
        return Ballots(kinds, here[which], self.slots[places], self.sources[places])

    def where(self, chosen: Callable[[Ballot], object]) -> "Ballots":
        """Return the candidates of whose kind something is true."""
        return self.at(self.each(lambda kind: bool(chosen(kind)), bool))

    def each(self, value: Callable[[Ballot], Any], dtype: type[Any]) -> NDArray[Any]:
        """Return a value of each candidate's kind, shape (n,)."""
        found: NDArray[Any] = np.fromiter(map(value, self.kinds), dtype, len(self.kinds))[self.which]
        return found

    def numbers(self) -> Iterator[tuple[Ballot, int]]:
        """Yield the kinds, and how many candidates are of each."""
        return zip(self.kinds, np.bincount(self.which, minlength=len(self.kinds)).tolist(), strict=True)


class Names:
    """Numbers for names, and their order."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Return the number of a name, a new one if it is new."""
        return self._held.setdefault(name, len(self._held))

    def ranks(self) -> Numbers:
        """Return the place of each number in the order of the names."""
        order = np.fromiter((self._held[name] for name in sorted(self._held)), np.int32, len(self._held))
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        return ranks

    def packed(self) -> "PackedNames":
        """Return the names in the order of their numbers."""
        raw = [name.encode("utf-8", "surrogatepass") for name in self._held]
        return PackedNames(b"".join(raw), array("Q", map(len, raw)))


@dataclass(frozen=True)
class PackedNames:
    """Names one behind the other, and the length of each in bytes."""

    text: bytes
    lengths: "array[int]"

    def __iter__(self) -> Iterator[str]:
        start = 0
        for length in self.lengths:
            yield self.text[start : start + length].decode("utf-8", "surrogatepass")
            start += length


class Part(NamedTuple):
    """The candidates of a log, with numbers of their own: what goes from one process to another."""

    kinds: tuple[Ballot, ...]
    which: "array[int]"
    slots: "array[int]"
    sources: "array[int]"
    slot_names: PackedNames
    source_names: PackedNames


class GrowingBallots:
    """Takes candidates one by one, or a log at a time."""

    def __init__(self) -> None:
        self._kinds: dict[Ballot, int] = {}
        self._slot_names, self._source_names = Names(), Names()
        self._which, self._slots, self._sources = array("i"), array("i"), array("i")

    def add(self, item: Counted) -> None:
        """Take a candidate."""
        self._which.append(self._kind(ballot_of(item)))
        self._slots.append(self._slot_names.number(item.slot_id))
        self._sources.append(self._source_names.number(item.source_id))

    def part(self) -> Part:
        """Return what was taken, to be given to `extend`."""
        return Part(tuple(self._kinds), self._which, self._slots, self._sources,
                    self._slot_names.packed(), self._source_names.packed())  # fmt: skip

    def extend(self, part: Part) -> None:
        """Take the candidates of a log."""
        _renumbered(self._which, part.which, map(self._kind, part.kinds))
        _renumbered(self._slots, part.slots, map(self._slot_names.number, part.slot_names))
        _renumbered(self._sources, part.sources, map(self._source_names.number, part.source_names))

    def ballots(self) -> Ballots:
        """Return all candidates in their order."""
        slots, sources = self._slot_names.ranks(), self._source_names.ranks()
        return Ballots(
            tuple(self._kinds), _numbers(self._which), slots[_numbers(self._slots)], sources[_numbers(self._sources)]
        )

    def _kind(self, kind: Ballot) -> int:
        return self._kinds.setdefault(kind, len(self._kinds))


def _renumbered(held: "array[int]", given: "array[int]", numbers: Iterable[int]) -> None:
    """Add what another one numbered, by the numbers that its numbers have here."""
    here = np.fromiter(numbers, np.int32)
    held.frombytes(here[_numbers(given)].tobytes())


def _numbers(held: "array[int]") -> Numbers:
    return np.frombuffer(held, np.int32) if held else np.empty(0, np.int32)
