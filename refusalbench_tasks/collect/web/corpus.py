"""A file of pages in place of the web: for tests, and for where there is no web."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.hit import Hit
from refusalbench_tasks.collect.web.page import FailedError
from refusalbench_tasks.collect.web.relevance import cut
from refusalbench_tasks.datasets.fields import validated
from refusalbench_tasks.datasets.rows import read_rows
from refusalbench_tasks.errors import RowError
from refusalbench_tasks.generators.kit.search import Index

SNIPPET = 300


class CorpusRow(BaseModel):
    """A page: its address and text; title, author and day as far as known."""

    url: Annotated[str, Field(pattern=r"\S")]
    text: Annotated[str, Field(pattern=r"\S")]
    title: str = ""
    author: str = ""
    date: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""


class Corpus:
    """Pages of one's own in a file of rows, found by BM25 over title and text. They are held in memory."""

    def __init__(self, path: Path) -> None:
        """Read all pages. Raises DataError for a missing file, a bad row, one address twice, and no page at all."""
        self._pages: dict[str, Article] = {}
        fetched = datetime.now(UTC).isoformat(timespec="seconds")
        for row in read_rows(path, "search", "'corpus:' and"):
            page = validated(CorpusRow, row)
            if page.url in self._pages:
                raise RowError(row.source, row.place, "url", "stands there twice")
            text = page.text.strip()
            self._pages[page.url] = Article(page.url, text, page.title, page.author, page.date, fetched)
        self._urls = tuple(self._pages)
        self._index = Index(f"{one.title}\n{one.text}" for one in self._pages.values())

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, the nearest first; pages without a word of the query are none."""
        found = [self._pages[self._urls[position]] for position, _ in self._index.nearest(query, n)]
        return [Hit(one.url, one.title, cut(one.text, SNIPPET), one.published) for one in found]

    async def read(self, address: str) -> Article:
        """Return the article at an address. Raises FailedError for one that isn't there."""
        if address not in self._pages:
            raise FailedError("not in the corpus")
        return self._pages[address]
