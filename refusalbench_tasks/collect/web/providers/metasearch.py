"""Public search engines without a key, through the library ddgs: for trying things out, slowly."""

from collections.abc import Callable
from typing import Any

import anyio

from refusalbench_tasks.collect.web.hit import Hit, SearchError, hits_of
from refusalbench_tasks.collect.web.hosts import Sleep
from refusalbench_tasks.errors import DataError

NAMES = {"url": "href", "title": "title", "snippet": "body", "date": "date"}
PAUSE = 5.0
"""Seconds between two searches; the engines turn away those who ask more often (our definition)."""

Finder = Callable[[str, int], list[dict[str, Any]]]


class Metasearch:
    """Several engines' public pages, one search at a time. Their operators may turn it away at any time."""

    def __init__(self, finder: Finder | None = None, pause: float = PAUSE, sleep: Sleep = anyio.sleep) -> None:
        self._find, self._pause, self._sleep = finder or _ddgs(), pause, sleep
        self._lock, self._next = anyio.Lock(), 0.0

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, after a pause since the last search. Raises SearchError."""
        async with self._lock:
            wait = self._next - anyio.current_time()
            if wait > 0:
                await self._sleep(wait)
            try:
                rows = await anyio.to_thread.run_sync(self._find, query, n)
            except Exception as error:
                if str(error) == "No results found.":
                    return []
                raise SearchError(f"ddgs finds nothing out ({type(error).__name__})") from None
            finally:
                self._next = anyio.current_time() + self._pause
        return hits_of(rows, NAMES, n)


def _ddgs() -> Finder:
    try:
        from ddgs import DDGS
    except ImportError as error:
        raise DataError(f"search=ddgs: needs {error.name}; pip install 'refusalbench-tasks[web]'") from None

    def find(query: str, n: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = DDGS(timeout=15).text(query, max_results=n)
        return found

    return find
