"""What a search finds, and searches that are kept on disk so that a second run asks for
none of them again.
"""

import json
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from .archive import Archive

_WEB = ("http://", "https://")


class SearchError(Exception):
    """A search that found nothing out: the engine can't be reached, refuses or answers
    nonsense.

    The message is one line that names the engine, and no key. It is no empty result: a
    search with no hits is a list.
    """


class Search(Protocol):
    """A search engine."""

    async def search(
        self,
        query: str,
        n: int,
    ) -> list[str]:
        """Return the addresses of at most `n` pages, the best first, each once.

        Raises SearchError.
        """


def addresses_in(rows: object, n: int) -> list[str]:
    """Return the addresses in an engine's rows: objects with `url`.

    Rows without a web address are left out, and so is an address that came before.
    """
    addresses: dict[str, None] = {}
    for row in rows if isinstance(rows, list) else ():
        url = row.get("url") if isinstance(row, dict) else None
        if isinstance(url, str) and url.lower().startswith(_WEB):
            addresses[url] = None
    return list(addresses)[:n]


class KeptHits(BaseModel):
    """What a search found, as it is kept."""

    query: str
    addresses: list[str]


class KeptSearch:
    """An engine with its searches kept in a folder."""

    def __init__(
        self,
        search: Search,
        name: str,
        folder: Path,
    ) -> None:
        self._search = search
        self._name = name
        self._archive = Archive(KeptHits, folder)

    async def search(
        self,
        query: str,
        n: int,
    ) -> list[str]:
        """Return the addresses of at most `n` pages, kept ones if there are.

        Raises SearchError, and DataError for a bad file.
        """
        key = json.dumps([self._name, query, n])
        kept = self._archive.get(key)
        if kept is None:
            addresses = await self._search.search(query, n)
            kept = KeptHits(query=query, addresses=addresses)
            self._archive.put(key, kept)
        return kept.addresses
