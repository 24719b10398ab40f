"""Searches that are kept on disk: what a second run reads instead of asking, and paying, again."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import anyio

from refusalbench_tasks.bounded_reading import json_value
from refusalbench_tasks.collect.web.hit import Hit, Search, SearchError
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole


class KeptSearch:
    """A search engine whose results are kept in a folder, one file a search.

    `name` is the engine as it was named: another engine, query or number of hits is another search. With `offline`
    only kept searches have results. A search that failed is not kept. Whoever asks the same at the same time waits.
    """

    def __init__(self, search: Search, name: str, folder: Path, offline: bool = False) -> None:
        self._search, self._name, self._folder, self._offline = search, name, folder, offline
        self._locks: dict[Path, anyio.Lock] = {}

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, kept ones if there are. Raises SearchError, and DataError for a bad file."""
        path = self.path(query, n)
        lock = self._locks.setdefault(path, anyio.Lock())
        async with lock:
            try:
                return await self._found(path, query, n)
            finally:
                if not lock.statistics().tasks_waiting:
                    self._locks.pop(path, None)

    async def _found(self, path: Path, query: str, n: int) -> list[Hit]:
        if path.exists():
            return _read(path)
        if self._offline:
            raise SearchError("this search is not in the archive, and offline=true asks nobody")
        found = await self._search.search(query, n)
        kept = {"engine": self._name, "query": query, "n": n, "hits": [asdict(hit) for hit in found]}
        await anyio.to_thread.run_sync(write_whole, path, json.dumps(kept, ensure_ascii=False))
        return found

    def path(self, query: str, n: int) -> Path:
        """Return the file of a search."""
        key = hashlib.sha256(json.dumps([self._name, query, n]).encode()).hexdigest()
        return self._folder / f"{key}.json"


def _read(path: Path) -> list[Hit]:
    try:
        value = json_value(path.read_text(encoding="utf-8"), str(path))
        return [Hit(**hit) for hit in value["hits"]]  # type: ignore[index]
    except (OSError, ValueError, TypeError, KeyError):
        raise DataError(f"{path}: damaged; delete the file to search again") from None
