"""The argument `search`: which engine finds the pages."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio

from refusalbench_tasks.collect.web.api import BUNDLED, ApiSearch
from refusalbench_tasks.collect.web.corpus import Corpus
from refusalbench_tasks.collect.web.download import Sleep
from refusalbench_tasks.collect.web.extract import library
from refusalbench_tasks.collect.web.hit import Hit, Search, SearchError, hits_of
from refusalbench_tasks.collect.web.inspect_search import SERVICES, ModelSearch, ServiceSearch
from refusalbench_tasks.errors import DataError

PAUSE = 5.0
"""Seconds between two searches by ddgs; the engines turn away those who ask more often (our definition)."""
KNOWN = "corpus:FILE.jsonl, inspect, inspect:tavily, inspect:exa, brave, api:FILE.yaml, ddgs"


def engine_of(search: str, environment: Mapping[str, str] = os.environ) -> Search:
    """Return the engine that `search` names; no name has a default, since each costs someone something.

    * `corpus:FILE.jsonl`: pages of one's own. Asks nobody.
    * `inspect`: the web search of a model's provider; `inspect:tavily`, `inspect:exa`: services that Inspect asks.
    * `brave` (key in BRAVE_API_KEY), or `api:FILE.yaml`: an engine that answers with JSON, as the file describes it.
    * `ddgs`: public engines through the library ddgs, one search in five seconds.

    Raises DataError for another name, a missing key, library or file.
    """
    name, _, rest = search.strip().partition(":")
    if name == "corpus" and rest:
        return Corpus(Path(rest).expanduser())
    if name == "api" and rest:
        return ApiSearch(rest, environment)
    if name == "inspect" and rest in SERVICES:
        return ServiceSearch(rest, environment)
    if search == "inspect":
        return ModelSearch()
    if search in BUNDLED:
        return ApiSearch(search, environment)
    if search == "ddgs":
        return Metasearch()
    raise DataError(f"search: unknown engine '{search[:200]}'; use one of {KNOWN}")


class Metasearch:
    """Several engines' public pages, one search at a time. Their operators may turn it away at any time."""

    def __init__(self, pause: float = PAUSE, sleep: Sleep = anyio.sleep) -> None:
        self._ddgs = library("ddgs").DDGS
        self._pause, self._sleep = pause, sleep
        self._lock, self._next = anyio.Lock(), 0.0

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, after a pause since the last search. Raises SearchError."""

        def find() -> Any:
            return self._ddgs(timeout=15).text(query, max_results=n)

        async with self._lock:
            await self._sleep(max(0.0, self._next - anyio.current_time()))
            try:
                rows = await anyio.to_thread.run_sync(find)
            except Exception as error:
                if str(error) == "No results found.":
                    return []
                raise SearchError(f"ddgs finds nothing out ({type(error).__name__})") from None
            finally:
                self._next = anyio.current_time() + self._pause
        return hits_of(rows, {"url": "href", "snippet": "body"}, n)
