"""The article at an address, from the web or from a corpus."""

from collections.abc import Awaitable, Callable

from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.hit import Search
from refusalbench_tasks.collect.web.page import Failed, Page, Refused
from refusalbench_tasks.collect.web.providers.corpus import Corpus

Reader = Callable[[str], Awaitable[Article | Refused | Failed]]


def reader_of(search: Search, web: Web | None) -> Reader:
    """Return how the articles at an engine's hits are read: a corpus's own pages, or through the web client.

    Raises ValueError for an engine whose pages lie on the web, without a client.
    """
    if isinstance(search, Corpus):
        return search.read
    if web is None:
        raise ValueError("the hits of this engine need a web client")
    client = web

    async def read(url: str) -> Article | Refused | Failed:
        page = await client.fetch(url)
        return await client.article(page) if isinstance(page, Page) else page

    return read
