"""Whether a host is a reliable source, as lists say: the bundled one, and those of the
user.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import httpx
from pydantic import BaseModel, Field, ValidationError, field_validator

from refusalbench_tasks.bounded_reading import file_at, read_text, yaml_value
from refusalbench_tasks.collect.settings import Unknown
from refusalbench_tasks.collect.web.extract import library
from refusalbench_tasks.errors import DataError

Label = Literal["reliable", "unreliable", "mixed"]
Standing = Literal["reliable", "unreliable", "mixed", "unknown"]
Layout = TypeVar("Layout", bound=BaseModel)

_HOST = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\Z"
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
    rest = host.removeprefix("www.")
    return (rest if "." in rest else host) if _HOST.match(host) else None


def suffix_of(host: str) -> str:
    """Return the public suffix below which a host stands, as a registry runs it; "" if
    there is none.

    Suffixes are those that tldextract brings along; nothing is fetched. Raises
    DataError without the extra `web`.
    """
    return str(_suffixes()(host).suffix)


@cache
def _suffixes() -> Any:
    return library("tldextract").TLDExtract(suffix_list_urls=(), cache_dir=None)


class TrustEntry(BaseModel):
    """What a list says of a host with all below it; `about` is why, or whose it is.

    A `domain` with a dot in front is a public suffix under which only institutions of a
    kind may register (`.gov`, `.gc.ca`), perhaps with any country (`.ac.*`: two
    letters).
    """

    domain: str
    label: Label
    about: str = ""

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
    """A list of hosts by name, as its YAML file has it."""

    name: str
    version: str | int | float
    licence: str
    source: str
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
        self, lists: Sequence[TrustList], unknown: Unknown = "unknown"
    ) -> None:
        """Take lists. `unknown` is what an unlisted host counts as."""
        self._unknown = unknown
        self._labels: dict[str, dict[str, set[Label]]] = {
            one.name: defaultdict(set) for one in lists
        }
        for one in lists:
            for entry in one.entries:
                self._labels[one.name][entry.domain].add(entry.label)

    def verdict(self, address: str) -> TrustVerdict:
        """Return what the lists say of an address: `unknown` if none names it, `mixed`
        if they differ.

        A mixed host fills no slot of a record, nor does an unknown one, unless these
        count as unreliable.
        """
        host = host_of(address)
        said = set[Label]()
        because = []
        domains = _domains_over(host) if host else ()
        for name, labels in self._labels.items():
            domain = next((one for one in domains if one in labels), None)
            if domain:
                said |= labels[domain]
                because.append(f"{name}: {domain}")
        standing: Standing = (
            "unknown" if not said else said.pop() if len(said) == 1 else "mixed"
        )
        slot = self._unknown if standing == "unknown" else standing
        return TrustVerdict(
            standing,
            slot if slot in ("reliable", "unreliable") else None,
            tuple(because),
        )


def _domains_over(host: str) -> tuple[str, ...]:
    """Return the entries that may cover a host, the nearest first: it and what it
    stands below, then its suffixes.
    """
    labels = host.split(".")
    suffix = suffix_of(host).split(".")
    names = [".".join(labels[start:]) for start in range(len(labels) - 1)]
    names += [f".{'.'.join(suffix[start:])}" for start in range(len(suffix))]
    return (
        (*names, f".{suffix[-2]}.*")
        if len(suffix) > 1 and len(suffix[-1]) == 2
        else tuple(names)
    )


LABELS: tuple[Label, ...] = get_args(Label)
_KNOWN = "bundled, FILE.yaml, unreliable:FILE, reliable:FILE, mixed:FILE"


def trust_lists(names: str) -> tuple[TrustList, ...]:
    """Return the lists that an argument names, separated by commas. Nothing is fetched.

    `bundled` is ours; `FILE.yaml` has its layout (`TrustList`). Of `unreliable:FILE`
    every host has that label, and `reliable:` and `mixed:` likewise: the file has a
    host or an address a line, before any comma, semicolon or tab, as published lists in
    CSV do; other lines, such as their header, are skipped. Raises DataError for a name
    that is none of these, a list named twice, and a file that isn't as it should be.
    """
    lists = tuple(_list(name.strip()) for name in names.split(",") if name.strip())
    known = [one.name for one in lists]
    twice = next((name for name in known if known.count(name) > 1), None)
    if twice or not lists:
        problem = (
            f"two lists have the name '{twice}'"
            if twice
            else f"name at least one list: {_KNOWN}"
        )
        raise DataError(f"trust: {problem}")
    return lists


def _list(name: str) -> TrustList:
    if name == "bundled":
        path: Any = files("refusalbench_tasks.collect.web").joinpath("data/trust.yaml")
        return valid(
            TrustList, yaml_value(path.read_text(encoding="utf-8"), name), name
        )
    label, _, rest = name.partition(":")
    source = rest if label in LABELS else name
    if not source or (
        label not in LABELS and not name.lower().endswith((".yaml", ".yml"))
    ):
        raise DataError(f"trust: unknown list '{name[:200]}'; use {_KNOWN}")
    text = read_text(file_at(Path(source).expanduser(), "trust"), f"trust: {source}")
    if label not in LABELS:
        return valid(TrustList, yaml_value(text, source), f"trust: {source}")
    hosts = [
        host_of(re.split("[,;\t]", line)[0].strip(" \"'")) for line in text.splitlines()
    ]
    entries = [
        {"domain": host, "label": label}
        for host in hosts
        if host and host != suffix_of(host)
    ]
    about = {
        "name": Path(source).stem,
        "version": "as given",
        "licence": "see its publisher",
        "source": source,
    }
    return valid(TrustList, {**about, "entries": entries}, f"trust: {source}")


def valid(layout: type[Layout], value: object, source: str) -> Layout:
    """Return a value of a file in its layout.

    Raises DataError that names the source and the first wrong field.
    """
    try:
        return layout.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise DataError(f"{source}, field '{place}': {first['msg']}") from None
