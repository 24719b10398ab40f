"""Whether a host is a reliable source, as lists say: the bundled one, and those of the user."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

import httpx
from pydantic import BaseModel, Field, field_validator, model_validator

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.web.extract import library
from refusalbench_tasks.collect.web.valid import valid
from refusalbench_tasks.errors import DataError

Label = Literal["reliable", "unreliable", "mixed"]
Standing = Literal["reliable", "unreliable", "mixed", "unknown"]
Unknown = Literal["unknown", "unreliable"]

_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\Z")


@dataclass(frozen=True)
class Host:
    """A host by name, in ASCII and small letters, without `www.` and the last dot.

    `suffix` is the public suffix that a registry runs below which it stands ("" if there is none).
    """

    name: str
    suffix: str


@lru_cache(4096)
def host_of(address: str) -> Host | None:
    """Return the host of an address, with or without a scheme, or None if it has none by name: numbers are no names.

    Suffixes are those that tldextract brings along; nothing is fetched. Raises DataError without the extra `web`.
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
    return Host(host, _suffixes()(host).suffix)


@cache
def _suffixes() -> Any:
    return library("tldextract").TLDExtract(suffix_list_urls=(), cache_dir=None)


class TrustEntry(BaseModel):
    """A host with all below it, and what a list says of it; `about` is why, or whose it is."""

    domain: str
    label: Label
    about: str = ""

    @field_validator("domain")
    @classmethod
    def _is_host(cls, text: str) -> str:
        host = host_of(text)
        if host is None:
            raise ValueError(f"expected a host, not '{text[:100]}'")
        if host.name == host.suffix:
            raise ValueError(f"{host.name} is a public suffix; list it in 'suffixes'")
        return host.name


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

    @model_validator(mode="after")
    def _has_hosts(self) -> Self:
        if not self.suffixes and not self.entries:
            raise ValueError("it names no host, neither in 'entries' nor in 'suffixes'")
        return self


@dataclass(frozen=True)
class TrustVerdict:
    """What the lists say of an address: its standing, and by which entries of which lists ("list: entry")."""

    standing: Standing
    because: tuple[str, ...] = ()


class Trust:
    """Several lists in one.

    In each list the longest host counts that an address is of or below; a suffix counts where no entry does. Lists
    that differ make a host `mixed`.
    """

    def __init__(self, lists: Sequence[TrustList], unknown: Unknown = "unknown") -> None:
        """Take lists. `unknown` is what an unlisted host counts as in `slot`."""
        self._lists, self._unknown = tuple(lists), unknown
        self._labels: dict[str, dict[str, set[Label]]] = {one.name: defaultdict(set) for one in lists}
        for one in lists:
            for entry in one.entries:
                self._labels[one.name][entry.domain].add(entry.label)

    def verdict(self, address: str) -> TrustVerdict:
        """Return what the lists say of an address: `unknown` if none names it, `mixed` if they differ."""
        host = host_of(address)
        said = [pair for one in self._lists for pair in self._said(one, host)] if host else []
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

    def _said(self, one: TrustList, host: Host) -> list[tuple[Label, str]]:
        parts = host.name.split(".")
        for start in range(len(parts) - 1):
            name = ".".join(parts[start:])
            if name in self._labels[one.name]:
                return [(label, f"{one.name}: {name}") for label in sorted(self._labels[one.name][name])]
        return [(each.label, f"{one.name}: .{each.name}") for each in one.suffixes if each.covers(host.suffix)]


LABELS: tuple[Label, ...] = get_args(Label)
_KNOWN = "bundled, FILE.yaml, unreliable:FILE, reliable:FILE, mixed:FILE"


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas. Nothing is fetched.

    `bundled` is ours; `FILE.yaml` has its layout (`TrustList`). Of `unreliable:FILE` every host has that label, and
    `reliable:` and `mixed:` likewise: the file has a host or an address a line, before any comma, semicolon or tab, as
    published lists in CSV do; other lines, such as their header, are skipped. Raises DataError for a name that is none
    of these, a list named twice, and a file that isn't as it should be.
    """
    lists = tuple(_list(name.strip()) for name in names.split(",") if name.strip())
    known = [one.name for one in lists]
    twice = next((name for name in known if known.count(name) > 1), None)
    if twice or not lists:
        problem = f"two lists have the name '{twice}'" if twice else f"name at least one list: {_KNOWN}"
        raise DataError(f"trust: {problem}")
    return lists


def _list(name: str) -> TrustList:
    if name == "bundled":
        path: Any = files("refusalbench_tasks.collect.web").joinpath("data/trust.yaml")
        return valid(TrustList, yaml_value(path.read_text(encoding="utf-8"), name), name)
    label, _, rest = name.partition(":")
    source = rest if label in LABELS else name
    if not source or (label not in LABELS and not name.lower().endswith((".yaml", ".yml"))):
        raise DataError(f"trust: unknown list '{name[:200]}'; use {_KNOWN}")
    text = read_text(file_at(Path(source).expanduser(), "trust"), f"trust: {source}")
    if label not in LABELS:
        return valid(TrustList, yaml_value(text, source), f"trust: {source}")
    hosts = [host_of(re.split("[,;\t]", line)[0].strip(" \"'")) for line in text.splitlines()]
    entries = [{"domain": host.name, "label": label} for host in hosts if host and host.name != host.suffix]
    about = {"name": Path(source).stem, "version": "as given", "licence": "see its publisher", "source": source}
    return valid(TrustList, {**about, "entries": entries}, f"trust: {source}")
