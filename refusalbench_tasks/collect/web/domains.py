"""Hosts and what they belong to, by the public-suffix list that tldextract brings along; nothing is fetched."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx

from refusalbench_tasks.errors import DataError

_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\Z")


@dataclass(frozen=True)
class Place:
    """A host and a path on it.

    `domain` is the registrable domain: what one owner registered, one label below the public suffix (`example.co.uk`;
    on hosting services below theirs: `name.github.io`); the host itself where it is a public suffix (`gov.uk`).
    `suffix` is the public suffix that a registry runs ("" if there is none). `path` has no slash at its end.
    """

    host: str
    path: str
    domain: str
    suffix: str


def place_of(address: str) -> Place | None:
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
    host = _without_www(host)
    return Place(host, url.path.rstrip("/"), _private()(host).top_domain_under_public_suffix or host, _registry(host))


def _without_www(host: str) -> str:
    rest = host.removeprefix("www.")
    return rest if "." in rest else host


def _registry(host: str) -> str:
    suffix: str = _public()(host).suffix
    return suffix


@cache
def _public() -> Any:
    return _extractor(private=False)


@cache
def _private() -> Any:
    return _extractor(private=True)


def _extractor(private: bool) -> Any:
    try:
        from tldextract import TLDExtract
    except ImportError as error:
        raise DataError(f"web: needs {error.name}; pip install 'refusalbench-tasks[web]'") from None
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=private)
