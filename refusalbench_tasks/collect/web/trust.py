"""Whether a host is a reliable source, as lists say; a host that no list names is unknown."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from refusalbench_tasks.collect.web.domains import Place, place_of
from refusalbench_tasks.errors import one_of

Label = Literal["reliable", "unreliable", "mixed"]
Standing = Literal["reliable", "unreliable", "mixed", "unknown"]
Unknown = Literal["unknown", "unreliable"]

LABELS: tuple[Label, ...] = get_args(Label)


@dataclass(frozen=True)
class Entry:
    """A host with all below it, or a part of it by path, and what a list says of it; `about` is why, or whose it is."""

    place: Place
    label: Label
    about: str = ""


@dataclass(frozen=True)
class Suffix:
    """A public suffix under which only institutions of a kind may register, and what follows for their hosts.

    `name` is a suffix (`gov`, `gc.ca`) or one with any country (`ac.*`: two letters).
    """

    name: str
    label: Label
    about: str = ""

    def covers(self, suffix: str) -> bool:
        """Return whether a host's public suffix is this one or lies below it."""
        own, labels = self.name.split("."), suffix.split(".")
        end = labels[-len(own) :]
        return len(labels) >= len(own) and all(
            mine == theirs or (mine == "*" and len(theirs) == 2) for mine, theirs in zip(own, end, strict=True)
        )


@dataclass(frozen=True)
class TrustList:
    """A list of hosts, with where it comes from. `skipped` rows could not be read as hosts."""

    name: str
    version: str
    licence: str
    source: str
    entries: tuple[Entry, ...]
    suffixes: tuple[Suffix, ...] = ()
    skipped: int = 0


@dataclass(frozen=True)
class Verdict:
    """What the lists say of an address: its standing, and by which entries of which lists ("list: entry")."""

    standing: Standing
    because: tuple[str, ...] = ()


class Trust:
    """Several lists in one.

    In each list the most specific entry counts: the longest host, then the longest path; a suffix counts where no
    entry does. Lists that differ make a host `mixed`. Entries match whole labels of a host and whole parts of a path,
    never a piece of a word.
    """

    def __init__(self, lists: Sequence[TrustList], unknown: Unknown = "unknown") -> None:
        """Take lists. `unknown` is what an unlisted host counts as in `slot`; raises DataError for another value."""
        one_of("unknown", unknown, Unknown)
        self.lists = tuple(lists)
        self._unknown = unknown
        self._entries: dict[str, list[tuple[str, Entry]]] = defaultdict(list)
        for one in self.lists:
            for entry in one.entries:
                self._entries[entry.place.domain].append((one.name, entry))

    def verdict(self, address: str) -> Verdict:
        """Return what the lists say of an address: `unknown` if none names it, `mixed` if they differ."""
        place = place_of(address)
        if place is None:
            return Verdict("unknown")
        said = [pair for one in self.lists for pair in self._said(one, place)]
        labels = {label for label, _ in said}
        because = tuple(dict.fromkeys(reason for _, reason in said))
        if not labels:
            return Verdict("unknown")
        return Verdict(labels.pop() if len(labels) == 1 else "mixed", because)

    def slot(self, address: str) -> Literal["reliable", "unreliable"] | None:
        """Return which slot of a record a source at an address may fill, or None.

        A mixed host fills none, nor does an unknown one, unless unknown hosts count as unreliable (as published).
        """
        standing = self.verdict(address).standing
        if standing == "unknown":
            return "unreliable" if self._unknown == "unreliable" else None
        return None if standing == "mixed" else standing

    def _said(self, one: TrustList, place: Place) -> list[tuple[Label, str]]:
        named = [entry for name, entry in self._entries.get(place.domain, ()) if name == one.name]
        fitting = [entry for entry in named if _holds(entry.place, place)]
        if fitting:
            best = max(map(_specificity, fitting))
            return [
                (entry.label, f"{one.name}: {entry.place.host}{entry.place.path}")
                for entry in fitting
                if _specificity(entry) == best
            ]
        covering = [suffix for suffix in one.suffixes if suffix.covers(place.suffix)]
        return [(suffix.label, f"{one.name}: .{suffix.name}") for suffix in covering]


def _holds(entry: Place, place: Place) -> bool:
    return f".{place.host}".endswith(f".{entry.host}") and f"{place.path}/".startswith(f"{entry.path}/")


def _specificity(entry: Entry) -> tuple[int, int]:
    return entry.place.host.count("."), len(entry.place.path)
