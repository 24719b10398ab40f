"""What a search finds, and searches that are kept on disk so that a second run asks for
none of them again.
"""

import html
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Protocol

import anyio
from pydantic import BaseModel

from refusalbench_tasks.collect.web.archive import Archive

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
LONGEST = 2_000
"""How many characters of a title are kept."""


@dataclass(frozen=True)
class Hit:
    """One result: its address, its title as plain text, and its day (YYYY-MM-DD, "" if
    the engine has none).

    The day is what the engine calls the day of publication; it is not checked.
    """

    url: str
    title: str
    date: str = ""


class SearchError(Exception):
    """A search that found nothing out: the engine can't be reached, refuses or answers
    nonsense.

    The message is one line that names the engine, and no key. It is no empty result: a
    search with no hits is a list.
    """


class Search(Protocol):
    """A search engine."""

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, the best first, each address once.

        Raises SearchError.
        """


def hits_of(rows: object, n: int, date_name: str = "") -> list[Hit]:
    """Return the hits in an engine's rows: objects with `url` and `title`, and a date
    by a name of its own.

    Rows without a web address are left out, and so is an address that came before.
    """
    found: dict[str, Hit] = {}
    for row in rows if isinstance(rows, list) else ():
        url = row.get("url") if isinstance(row, dict) else None
        if (
            not isinstance(url, str)
            or not url.lower().startswith(("http://", "https://"))
            or url in found
        ):
            continue
        found[url] = Hit(url, plain(row.get("title")), day_of(row.get(date_name)))
        if len(found) == n:
            break
    return list(found.values())


def plain(value: object) -> str:
    """Return a text without markup and line breaks, at most LONGEST characters; "" for
    anything else than text.
    """
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: 4 * LONGEST]))
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:LONGEST]


def day_of(value: object) -> str:
    """Return the day at the beginning of an ISO date or time, or of an English date of
    HTTP, as YYYY-MM-DD, else "".
    """
    text = value.strip() if isinstance(value, str) else ""
    iso = _DAY.match(text)
    try:
        return (
            date.fromisoformat(iso[0]) if iso else parsedate_to_datetime(text)
        ).isoformat()[:10]
    except (ValueError, TypeError, IndexError):
        return ""


class KeptHits(BaseModel):
    """What a search found, as it is kept."""

    engine: str
    query: str
    n: int
    hits: tuple[Hit, ...]


class KeptSearch:
    """An engine with its searches kept in a folder; who asks the same at the same time
    waits for one answer.
    """

    def __init__(self, search: Search, name: str, folder: Path) -> None:
        self._search, self._name = search, name
        self._archive = Archive(KeptHits, folder)
        self._locks: dict[str, anyio.Lock] = defaultdict(anyio.Lock)

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, kept ones if there are.

        Raises SearchError, and DataError for a bad file.
        """
        key = json.dumps([self._name, query, n])
        async with self._locks[key]:
            kept = self._archive.get(key)
            if kept is None:
                found = tuple(await self._search.search(query, n))
                kept = KeptHits(engine=self._name, query=query, n=n, hits=found)
                self._archive.put(key, kept)
            return list(kept.hits)
