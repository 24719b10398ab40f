"""The argument `search`: which engine finds the pages."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import httpx

from refusalbench_tasks.collect.web.api import ApiSearch, api_of, bundled_engines
from refusalbench_tasks.collect.web.corpus import Corpus
from refusalbench_tasks.collect.web.download import Sleep
from refusalbench_tasks.collect.web.extract import library
from refusalbench_tasks.collect.web.hit import Hit, Search, SearchError, hits_of
from refusalbench_tasks.collect.web.inspect_search import inspect_search
from refusalbench_tasks.errors import DataError

PAUSE = 5.0
"""Seconds between two searches by ddgs; the engines turn away those who ask more often (our definition)."""
_KNOWN = "corpus:FILE.jsonl, inspect, inspect:tavily, inspect:exa, brave, searxng:URL, api:FILE.yaml, ddgs"


def engine_of(search: str, environment: Mapping[str, str] | None = None) -> Search:
    """Return the engine that `search` names; no name has a default, since each costs someone something.

    * `corpus:FILE.jsonl`: pages of one's own. Asks nobody.
    * `inspect`, `inspect:SERVICE`: Inspect's `web_search()`.
    * `brave` (key in BRAVE_API_KEY), `searxng:URL`: engines that are described here; `api:FILE.yaml`: another one.
    * `ddgs`: public engines through the library ddgs, one search in five seconds.

    Raises DataError for another name, a missing key, library, file or address.
    """
    known = os.environ if environment is None else environment
    name, _, rest = search.strip().partition(":")
    name = name.lower()
    if (bool(rest), name) not in _ENGINES:
        raise DataError(f"search: unknown engine '{search[:200]}'; use one of {_KNOWN}")
    return _ENGINES[bool(rest), name](rest, known)


def _searxng(rest: str, known: Mapping[str, str]) -> Search:
    try:
        url = httpx.URL(rest)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise DataError("search: searxng needs an address that begins with http:// or https://, without a password")
    engine = bundled_engines()["searxng"]
    return ApiSearch("searxng", engine.model_copy(update={"url": f"{str(url).rstrip('/')}/search"}), known)


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


_ENGINES: Mapping[tuple[bool, str], Callable[[str, Mapping[str, str]], Search]] = {
    (True, "corpus"): lambda rest, _: Corpus(Path(rest).expanduser()),
    (False, "inspect"): inspect_search,
    (True, "inspect"): inspect_search,
    (False, "brave"): lambda _, known: ApiSearch("brave", bundled_engines()["brave"], known),
    (True, "searxng"): _searxng,
    (True, "api"): lambda rest, known: ApiSearch("api", api_of(rest), known),
    (False, "ddgs"): lambda _, __: Metasearch(),
}
"""What makes an engine, by whether something stands behind the colon, and by name."""
