"""What a run collects with: one search engine, one client for pages, one set of trust lists."""

import asyncio
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cache

from refusalbench_tasks.collect.found import moment
from refusalbench_tasks.collect.inspect_search import inspect_search
from refusalbench_tasks.collect.posts import KeptPosts
from refusalbench_tasks.collect.searches import KeptSearch
from refusalbench_tasks.collect.settings import Settings
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.hit import Search
from refusalbench_tasks.collect.web.page import Failed, Page, Refused
from refusalbench_tasks.collect.web.providers.corpus import Corpus
from refusalbench_tasks.collect.web.providers.reddit import is_post, reddit_of
from refusalbench_tasks.collect.web.search import engine_of
from refusalbench_tasks.collect.web.trust import Trust
from refusalbench_tasks.collect.web.trust_lists import trust_lists


@dataclass(frozen=True)
class Read:
    """A page that was read: its article, the address at which it stands in the end, and when it was had (UTC)."""

    article: Article
    url: str
    fetched: str


class Gear:
    """Engine, client and lists. Nothing is opened before it is used; the client is closed with the event loop."""

    def __init__(self, settings: Settings) -> None:
        """Make the engine and read the lists. Raises DataError for what is wrong with the settings."""
        self.settings = settings
        self._engine = engine_of(settings.search, more={"inspect": inspect_search})
        self.trust = Trust(trust_lists(settings.trust, settings.trust_columns), settings.unknown)
        self.search: Search = self._engine
        if not isinstance(self._engine, Corpus):
            folder = settings.folder / "searches"
            self.search = KeptSearch(self._engine, settings.search, folder, settings.offline)
        self.posts: KeptPosts | None = None
        if settings.reddit:
            reddit = reddit_of(settings.reddit, os.environ)
            self.posts = KeptPosts(reddit, settings.reddit, settings.folder, settings.offline)
        self._client: tuple[asyncio.AbstractEventLoop, AsyncGenerator[Web, None], Web] | None = None

    async def read(self, url: str) -> Read | Refused | Failed:
        """Return the article at an address of a hit, or why there is none."""
        if self.posts is not None and is_post(url):
            post = await self.posts.read(url)
            return Read(post[0], url, post[1]) if isinstance(post, tuple) else post
        if isinstance(self._engine, Corpus):
            article = await self._engine.read(url)
            return Read(article, url, moment()) if isinstance(article, Article) else article
        web = await self._web()
        page = await web.fetch(url)
        if not isinstance(page, Page):
            return page
        found = await web.article(page)
        fetched = page.fetched.isoformat(timespec="seconds")
        return Read(found, page.url, fetched) if isinstance(found, Article) else found

    async def _web(self) -> Web:
        """Return the client of this event loop. The loop closes the generator that holds it, and so the client."""
        here = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not here:
            held = _open(self.settings)
            self._client = here, held, await anext(held)
        return self._client[2]


async def _open(settings: Settings) -> AsyncGenerator[Web, None]:
    async with Web(
        settings.folder / "pages",
        delay=settings.delay,
        host_limit=settings.host_limit,
        offline=settings.offline,
    ) as web:
        yield web


@cache
def gear_of(settings: Settings) -> Gear:
    """Return the gear of these settings: one in a process, so that all stages pace and count the same hosts."""
    return Gear(settings)
