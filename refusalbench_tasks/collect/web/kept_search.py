"""Searches that are kept on disk, so that a second run asks for none of them again."""

import hashlib
import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

import anyio

from refusalbench_tasks.bounded_reading import json_value
from refusalbench_tasks.collect.web.hit import Hit, Search, SearchError
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole


class KeptSearch:
    """An engine with its searches kept in a folder; who asks the same at the same time waits for one answer."""

    def __init__(self, search: Search, name: str, folder: Path, offline: bool = False) -> None:
        self._search, self._name, self._folder, self._offline = search, name, folder, offline
        self._locks: dict[Path, anyio.Lock] = defaultdict(anyio.Lock)

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, kept ones if there are. Raises SearchError, and DataError for a bad file."""
        key = hashlib.sha256(json.dumps([self._name, query, n]).encode()).hexdigest()
        path = self._folder / f"{key}.json"
        async with self._locks[path]:
            if path.exists():
                return _read(path)
            if self._offline:
                raise SearchError("this search is not in the archive, and offline=true asks nobody")
            found = await self._search.search(query, n)
            kept = {"engine": self._name, "query": query, "n": n, "hits": [asdict(hit) for hit in found]}
            await anyio.to_thread.run_sync(write_whole, path, json.dumps(kept, ensure_ascii=False))
            return found


def _read(path: Path) -> list[Hit]:
    try:
        value = json_value(path.read_text(encoding="utf-8"), str(path))
        return [Hit(**hit) for hit in value["hits"]]  # type: ignore[index]
    except (OSError, ValueError, TypeError, KeyError):
        raise DataError(f"{path}: damaged; delete the file to search again") from None
