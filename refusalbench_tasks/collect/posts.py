"""Posts of Reddit that are kept on disk, so that a second run asks for none of them again."""

import json
from dataclasses import asdict
from pathlib import Path

import anyio

from refusalbench_tasks.bounded_reading import json_value
from refusalbench_tasks.collect.found import moment
from refusalbench_tasks.collect.searches import KeptSearch
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.page import Failed, Refused
from refusalbench_tasks.collect.web.providers.reddit import PAGE, Reddit, is_post
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole


class KeptPosts:
    """Reddit with its searches and posts kept in a folder. With `offline` nothing else is there."""

    def __init__(self, reddit: Reddit, name: str, folder: Path, offline: bool = False) -> None:
        self._reddit, self._folder, self._offline = reddit, folder / "posts", offline
        self.search = KeptSearch(reddit, f"reddit:{name}", folder / "searches", offline)

    async def read(self, url: str) -> tuple[Article, str] | Refused | Failed:
        """Return a post and the moment at which it was had (UTC). Raises DataError for a bad file."""
        if not is_post(url):
            return Failed(url, "no post of Reddit")
        path = self._folder / f"{url.removeprefix(PAGE)}.json"
        if path.exists():
            return _read(path)
        if self._offline:
            return Refused(url, "not in the archive, and offline=true asks nobody")
        found = await self._reddit.read(url)
        if isinstance(found, Failed):
            return found
        kept = {"url": url, "fetched": moment(), "article": asdict(found)}
        await anyio.to_thread.run_sync(write_whole, path, json.dumps(kept, ensure_ascii=False))
        return found, str(kept["fetched"])


def _read(path: Path) -> tuple[Article, str]:
    try:
        value = json_value(path.read_text(encoding="utf-8"), str(path))
        return Article(**value["article"]), str(value["fetched"])  # type: ignore[index]
    except (OSError, ValueError, TypeError, KeyError):
        raise DataError(f"{path}: damaged; delete the file to ask again") from None
