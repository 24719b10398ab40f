"""What a search finds."""

import html
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
LONGEST = 2_000
"""How many characters of a title or a snippet are kept."""


@dataclass(frozen=True)
class Hit:
    """One result: its address, title and snippet as plain text, and its day (YYYY-MM-DD, "" if the engine has none).

    The day is what the engine calls the day of publication; it is not checked.
    """

    url: str
    title: str
    snippet: str
    date: str = ""


class SearchError(Exception):
    """A search that found nothing out: the engine can't be reached, refuses or answers nonsense.

    The message is one line that names the engine, and no key. It is no empty result: a search with no hits is a list.
    """


class Search(Protocol):
    """A search engine."""

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, the best first, each address once. Raises SearchError."""


def hits_of(rows: object, names: Mapping[str, str], n: int) -> list[Hit]:
    """Return the hits in an engine's rows: objects whose keys `names` tells, for url, title, snippet and date.

    Rows without a web address are left out, and so is an address that came before.
    """
    found: dict[str, Hit] = {}
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict):
            continue
        url = row.get(names["url"])
        if not isinstance(url, str) or not url.lower().startswith(("http://", "https://")) or url in found:
            continue
        title, snippet = plain(row.get(names["title"])), plain(row.get(names["snippet"]))
        found[url] = Hit(url, title, snippet, day_of(row.get(names["date"])))
        if len(found) == n:
            break
    return list(found.values())


def plain(value: object) -> str:
    """Return a text without markup and line breaks, at most LONGEST characters; "" for anything else than text."""
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: 4 * LONGEST]))
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:LONGEST]


def day_of(value: object) -> str:
    """Return the day at the beginning of an ISO date or time, or of an English date of HTTP, as YYYY-MM-DD, else ""."""
    if not isinstance(value, str):
        return ""
    text = value.strip()
    for read in (_iso, _http):
        try:
            return read(text)
        except (ValueError, TypeError, IndexError):
            continue
    return ""


def _iso(text: str) -> str:
    found = _DAY.match(text)
    if not found:
        raise ValueError(text)
    return datetime(*map(int, found.groups())).date().isoformat()  # type: ignore[arg-type]


def _http(text: str) -> str:
    from email.utils import parsedate_to_datetime

    return parsedate_to_datetime(text).date().isoformat()


async def paged(page: Callable[[int], Awaitable[list[Hit]]], n: int, most: int) -> list[Hit]:
    """Return the first `n` hits of an engine's pages 0, 1, …, each address once.

    At most `most` pages are asked for, and none after one that brought nothing new.
    """
    found: dict[str, Hit] = {}
    for number in range(most):
        before = len(found)
        for hit in await page(number):
            found.setdefault(hit.url, hit)
        if len(found) >= n or len(found) == before:
            break
    return list(found.values())[:n]


def value_at(data: object, *keys: str) -> Any:
    """Return what lies under keys in nested objects, None where one is missing."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data
