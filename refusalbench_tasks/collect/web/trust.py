"""Whether a host is a reliable source, as lists say; a host that no list names is unknown."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated, Any, Literal, Self

import httpx
from pydantic import BaseModel, Field, model_validator

from refusalbench_tasks.collect.web.extract import library

Label = Literal["reliable", "unreliable", "mixed"]
Standing = Literal["reliable", "unreliable", "mixed", "unknown"]
Unknown = Literal["unknown", "unreliable"]

_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\Z")


@dataclass(frozen=True)
class HostPath:
    """A host and a path on it.

    `domain` is the registrable domain: what one owner registered, one label below the public suffix (`example.co.uk`;
    on hosting services below theirs: `name.github.io`); the host itself where it is a public suffix (`gov.uk`).
    `suffix` is the public suffix that a registry runs ("" if there is none). `path` has no slash at its end.
    """

    host: str
    path: str
    domain: str
    suffix: str

    def covers(self, other: "HostPath") -> bool:
        """Return whether another place is this one or lies below it: by whole labels and whole parts of a path."""
        return f".{other.host}".endswith(f".{self.host}") and f"{other.path}/".startswith(f"{self.path}/")


def host_path(address: str) -> HostPath | None:
    """Return the place of an address, with or without a scheme, or None if it has no host name.

    The host is in ASCII, in small letters, without `www.` and the last dot; numbers are no names. Raises DataError
    without the extra `web`.
    """
    text = address.strip()
    try:
        url = httpx.URL(text if "://" in text else f"http://{text}")
        host = url.raw_host.decode("ascii").lower().removesuffix(".")
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return None
    if not _HOST.match(host):
        return None
    rest = host.removeprefix("www.")
    host = rest if "." in rest else host
    owner = _suffixes(True)(host).top_domain_under_public_suffix or host
    return HostPath(host, url.path.rstrip("/"), owner, _suffixes(False)(host).suffix)


@cache
def _suffixes(private: bool) -> Any:
    """Return what knows the public suffixes that tldextract brings along; nothing is fetched."""
    extract = library("tldextract").TLDExtract
    return extract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=private)


class TrustEntry(BaseModel):
    """A host with all below it, or a part of it by path, and what a list says of it; `about`: why, or whose it is."""

    domain: str
    label: Label
    about: str = ""

    @cached_property
    def place(self) -> HostPath:
        """Return the host and the path. Raises ValueError for what is no host, and for a public suffix."""
        place = host_path(self.domain)
        if place is None:
            raise ValueError(f"expected a host, not '{self.domain[:100]}'")
        if place.host == place.suffix:
            raise ValueError(f"{place.host} is a public suffix; list it in 'suffixes'")
        return place

    @model_validator(mode="after")
    def _has_place(self) -> Self:
        _ = self.place
        return self


class TrustSuffix(BaseModel):
    """A public suffix under which only institutions of a kind may register, and what follows for their hosts.

    `name` is a suffix (`gov`, `gc.ca`) or one with any country (`ac.*`: two letters).
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*(\.([a-z0-9-]+|\*))*$")]
    label: Label
    about: str = ""

    def covers(self, suffix: str) -> bool:
        """Return whether a host's public suffix is this one or lies below it."""
        own, labels = self.name.split("."), suffix.split(".")
        pairs = zip(reversed(own), reversed(labels), strict=False)
        return len(labels) >= len(own) and all(mine == its or (mine == "*" and len(its) == 2) for mine, its in pairs)


class TrustList(BaseModel):
    """A list of hosts by name, as its YAML file has it."""

    name: str
    version: str | int | float
    licence: str
    source: str
    suffixes: tuple[TrustSuffix, ...] = ()
    entries: tuple[TrustEntry, ...] = ()


@dataclass(frozen=True)
class TrustVerdict:
    """What the lists say of an address: its standing, and by which entries of which lists ("list: entry")."""

    standing: Standing
    because: tuple[str, ...] = ()


class Trust:
    """Several lists in one.

    In each list the most specific entry counts: the longest host, then the longest path; a suffix counts where no
    entry does. Lists that differ make a host `mixed`.
    """

    def __init__(self, lists: Sequence[TrustList], unknown: Unknown = "unknown") -> None:
        """Take lists. `unknown` is what an unlisted host counts as in `slot`."""
        self.lists, self._unknown = tuple(lists), unknown
        self._entries: dict[tuple[str, str], list[TrustEntry]] = defaultdict(list)
        for one in self.lists:
            for entry in one.entries:
                self._entries[one.name, entry.place.domain].append(entry)

    def verdict(self, address: str) -> TrustVerdict:
        """Return what the lists say of an address: `unknown` if none names it, `mixed` if they differ."""
        place = host_path(address)
        said = [pair for one in self.lists for pair in self._said(one, place)] if place else []
        labels: set[Label] = {label for label, _ in said}
        because = tuple(dict.fromkeys(reason for _, reason in said))
        return TrustVerdict("unknown" if not labels else labels.pop() if len(labels) == 1 else "mixed", because)

    def slot(self, address: str) -> Literal["reliable", "unreliable"] | None:
        """Return which slot of a record a source at an address may fill, or None.

        A mixed host fills none, nor does an unknown one, unless unknown hosts count as unreliable (as published).
        """
        standing = self.verdict(address).standing
        if standing == "unknown":
            return "unreliable" if self._unknown == "unreliable" else None
        return None if standing == "mixed" else standing

    def _said(self, one: TrustList, place: HostPath) -> list[tuple[Label, str]]:
        named = [entry for entry in self._entries.get((one.name, place.domain), ()) if entry.place.covers(place)]
        if named:
            best = max(map(_specificity, named))
            own = [entry for entry in named if _specificity(entry) == best]
            return [(entry.label, f"{one.name}: {entry.place.host}{entry.place.path}") for entry in own]
        return [(each.label, f"{one.name}: .{each.name}") for each in one.suffixes if each.covers(place.suffix)]


def _specificity(entry: TrustEntry) -> tuple[int, int]:
    return entry.place.host.count("."), len(entry.place.path)
