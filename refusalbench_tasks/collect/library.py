"""What a run collects with: one search engine, one reader of pages, one set of trust lists."""

from dataclasses import dataclass
from typing import Protocol

from refusalbench_tasks.collect.settings import CollectSettings
from refusalbench_tasks.collect.web.corpus import Corpus
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.fetch import Web, WebSettings
from refusalbench_tasks.collect.web.hit import Search
from refusalbench_tasks.collect.web.kept_search import KeptSearch
from refusalbench_tasks.collect.web.search import engine_of
from refusalbench_tasks.collect.web.trust import Trust
from refusalbench_tasks.collect.web.trust_lists import trust_lists


class Pages(Protocol):
    """Where articles are read."""

    async def read(self, address: str) -> Article:
        """Return the article at an address. Raises NoPageError with the reason."""


@dataclass(frozen=True)
class Library:
    """An engine, the pages that its hits lead to, and the lists that say which of them can be relied on."""

    search: Search
    pages: Pages
    trust: Trust


def open_library(settings: CollectSettings) -> Library:
    """Return what settings name. Nothing is asked yet. Raises DataError for what is wrong with the settings."""
    name = settings.search or ""
    engine, trust = engine_of(name), Trust(trust_lists(settings.trust), settings.unknown)
    if isinstance(engine, Corpus):
        return Library(engine, engine, trust)
    how = WebSettings(settings.delay, settings.host_limit, settings.offline)
    kept = KeptSearch(engine, name, settings.folder / "searches", settings.offline)
    return Library(kept, Web(settings.folder / "pages", how), trust)
