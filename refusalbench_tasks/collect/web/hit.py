"""What a search finds."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Protocol

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
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
        url = row.get(names["url"]) if isinstance(row, dict) else None
        if not isinstance(url, str) or not url.lower().startswith(("http://", "https://")) or url in found:
            continue
        title, snippet, day = (row.get(names.get(name, name)) for name in ("title", "snippet", "date"))
        found[url] = Hit(url, plain(title), plain(snippet), day_of(day))
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
    text = value.strip() if isinstance(value, str) else ""
    iso = _DAY.match(text)
    try:
        return (date.fromisoformat(iso[0]) if iso else parsedate_to_datetime(text)).isoformat()[:10]
    except (ValueError, TypeError, IndexError):
        return ""
