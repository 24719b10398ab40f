"""Whether a host is a reliable source, as lists say: the bundled one, and those of the
user.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import httpx
from pydantic import BaseModel, Field, field_validator

from refusalbench_tasks.bounded_reading import (
    data_yaml,
    file_at,
    in_layout,
    read_text,
    yaml_value,
)
from refusalbench_tasks.collect.settings import Unknown
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.libraries import library

Label = Literal["reliable", "unreliable", "mixed"]
Labels = set[Label]
LABELS = get_args(Label)
Standing = Literal["reliable", "unreliable", "mixed", "unknown"]

_KNOWN = "bundled, FILE.yaml, unreliable:FILE, reliable:FILE, mixed:FILE"
_HOST = re.compile(
    r"(?=.{1,253}\Z)"
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+"
    r"[a-z][a-z0-9-]{0,61}[a-z0-9]\Z"
)
_SUFFIX = re.compile(r"(\.[a-z0-9][a-z0-9-]*)+(\.\*)?\Z")


@lru_cache(4096)
def host_of(address: str) -> str | None:
    """Return the host of an address, with or without a scheme; None if it has none by
    name: numbers are no names.

    It is in ASCII and small letters, without `www.` and the last dot.
    """
    text = address.strip()
    try:
        url = httpx.URL(text if "://" in text else f"http://{text}")
        host = url.raw_host.decode("ascii").lower().removesuffix(".")
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return None
    if not _HOST.match(host):
        return None
    bare = host.removeprefix("www.")
    return bare if "." in bare else host


def suffix_of(host: str) -> str:
    """Return the public suffix below which a host stands, as a registry runs it; "" if
    there is none.

    Suffixes are those that tldextract brings along; nothing is fetched. Raises
    DataError without the extra `web`.
    """
    return str(_suffixes()(host).suffix)


@cache
def _suffixes() -> Any:
    extract = library("tldextract", extra="web").TLDExtract
    return extract(suffix_list_urls=(), cache_dir=None)


class TrustEntry(BaseModel):
    """What a list says of a host with all below it.

    A `domain` with a dot in front is a public suffix under which only institutions of a
    kind may register (`.gov`, `.gc.ca`), perhaps with any country (`.ac.*`: two
    letters).
    """

    domain: str
    label: Label

    @field_validator("domain")
    @classmethod
    def _is_host(cls, text: str) -> str:
        if _SUFFIX.match(text):
            return text
        host = host_of(text)
        if host is None or host == suffix_of(host):
            raise ValueError(
                "expected a host, or a public suffix with a dot in front, not"
                f" '{text[:100]}'"
            )
        return host


class TrustList(BaseModel):
    """A list of hosts by name; its YAML file may say more, such as its licence."""

    name: str
    entries: Annotated[tuple[TrustEntry, ...], Field(min_length=1)]


@dataclass(frozen=True)
class TrustVerdict:
    """What lists say of an address: its standing, the slot of a record for it, by which
    entries ("list: entry").
    """

    standing: Standing
    slot: str | None = None
    because: tuple[str, ...] = ()


class Trust:
    """Several lists in one.

    In each list the longest host counts that an address is of or below; a suffix counts
    where no entry does. Lists that differ make a host `mixed`.
    """

    def __init__(
        self,
        lists: Sequence[TrustList],
        unknown: Unknown = "unknown",
    ) -> None:
        """Take lists. `unknown` is what an unlisted host counts as."""
        self._unknown = unknown
        self._labels: dict[str, dict[str, Labels]] = {}
        for trust_list in lists:
            labels = self._labels.setdefault(trust_list.name, {})
            for entry in trust_list.entries:
                labels.setdefault(entry.domain, set()).add(entry.label)

    def verdict(self, address: str) -> TrustVerdict:
        """Return what the lists say of an address: `unknown` if none names it, `mixed`
        if they differ.

        A mixed host fills no slot of a record, nor does an unknown one, unless these
        count as unreliable.
        """
        host = host_of(address)
        domains = []
        if host:
            # it and what it stands below, then its suffixes
            parts = host.split(".")
            suffix = suffix_of(host).split(".")
            domains = [".".join(parts[start:]) for start in range(len(parts) - 1)]
            domains += (f".{'.'.join(suffix[start:])}" for start in range(len(suffix)))
            if len(suffix) > 1 and len(suffix[-1]) == 2:
                domains.append(f".{suffix[-2]}.*")
        stated: Labels = set()
        because = []
        for name, labels in self._labels.items():
            for domain in domains:
                if domain in labels:
                    stated |= labels[domain]
                    because.append(f"{name}: {domain}")
                    break
        standing: Standing = "mixed"
        if len(stated) < 2:
            standing = next(iter(stated), "unknown")
        slot = self._unknown if standing == "unknown" else standing
        fills = slot in ("reliable", "unreliable")
        return TrustVerdict(
            standing,
            slot if fills else None,
            tuple(because),
        )


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas. Nothing is fetched.

    `bundled` is ours; `FILE.yaml` has its layout (`TrustList`). Of `unreliable:FILE`
    every host has that label, and `reliable:` and `mixed:` likewise: the file has a
    host or an address a line, before any comma, semicolon or tab, as published lists in
    CSV do; other lines, such as their header, are skipped. Raises DataError for a name
    that is none of these, a list named twice, and a file that isn't as it should be.
    """
    parts = filter(None, map(str.strip, names.split(",")))
    lists = tuple(map(_list, parts))
    if not lists:
        raise DataError(f"trust: name at least one list: {_KNOWN}")
    times = Counter(trust_list.name for trust_list in lists)
    name, most = times.most_common(1)[0]
    if most > 1:
        raise DataError(f"trust: two lists have the name '{name}'")
    return lists


def _list(name: str) -> TrustList:
    if name == "bundled":
        return TrustList.model_validate(data_yaml("collect.web", "trust.yaml"))
    label, _, source = name.partition(":")
    if label in LABELS and source:
        entries = []
        for line in _text(source).splitlines():
            host = host_of(re.split("[,;\t]", line)[0].strip(" \"'"))
            if host and host != suffix_of(host):
                entries.append(
                    {
                        "domain": host,
                        "label": label,
                    }
                )
        value = {
            "name": Path(source).stem,
            "entries": entries,
        }
        return in_layout(TrustList, value, f"trust: {source}")
    if not name.lower().endswith((".yaml", ".yml")):
        raise DataError(f"trust: unknown list '{name[:200]}'; use {_KNOWN}")
    return in_layout(
        TrustList,
        yaml_value(_text(name), name),
        f"trust: {name}",
    )


def _text(source: str) -> str:
    return read_text(file_at(source, "trust"), f"trust: {source}")
