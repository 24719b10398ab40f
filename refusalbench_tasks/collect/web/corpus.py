"""A file of pages in place of the web: for tests, and for where there is no web."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from refusalbench_tasks.bounded_reading import json_value
from refusalbench_tasks.collect.web.extract import Article
from refusalbench_tasks.collect.web.hit import Hit
from refusalbench_tasks.collect.web.page import FailedError
from refusalbench_tasks.collect.web.relevance import cut
from refusalbench_tasks.collect.web.valid import valid
from refusalbench_tasks.errors import DataError, RowError
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
    """Pages of one's own in a JSONL file, one a line, found by BM25 over title and text. They are held in memory."""

    def __init__(self, path: Path) -> None:
        """Read all pages. Raises DataError for a missing file, a bad row, one address twice, and no page at all."""
        self._pages: dict[str, Article] = {}
        if not path.is_file():
            raise DataError(f"search=corpus: no such file '{path}'")
        for place, article in _articles(path):
            if article.url in self._pages:
                raise RowError(str(path), place, "url", "stands there twice")
            self._pages[article.url] = article
        if not self._pages:
            raise DataError(f"search=corpus: {path} holds no page")
        self._urls = tuple(self._pages)
        self._index = Index(f"{one.title}\n{one.text}" for one in self._pages.values())

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, the nearest first; pages without a word of the query are none."""
        found = [self._pages[self._urls[position]] for position, _ in self._index.nearest(query, n)]
        return [Hit(one.url, one.title, cut(one.text, SNIPPET), one.published) for one in found]

    async def read(self, address: str) -> Article:
        """Return the article at an address. Raises NoPageError for one that isn't there."""
        if address not in self._pages:
            raise FailedError("not in the corpus")
        return self._pages[address]


def _articles(path: Path) -> Iterator[tuple[str, Article]]:
    try:
        with path.open(encoding="utf-8-sig", errors="strict") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield f"line {number}", _article(line, str(path), f"line {number}")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text ({error.reason}); save it as UTF-8") from None


def _article(line: str, source: str, place: str) -> Article:
    row = valid(CorpusRow, json_value(line, source, place), f"{source}, {place}")
    fetched = datetime.now(UTC).isoformat(timespec="seconds")
    return Article(row.url, row.text.strip(), row.title, row.author, row.date, fetched)
