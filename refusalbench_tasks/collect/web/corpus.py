"""A file of pages in place of the web: for tests, and for where there is no web."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError, field_validator, model_validator

from refusalbench_tasks.bounded_reading import json_value
from refusalbench_tasks.collect.web.extract import Article, extract
from refusalbench_tasks.collect.web.hit import Hit, day_of
from refusalbench_tasks.collect.web.page import FailedError, NoPageError, Page
from refusalbench_tasks.collect.web.relevance import cut
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.generators.kit.search import Index

SNIPPET = 300


class CorpusRow(BaseModel):
    """A page: its address, and its `text` or its `html`; with a text title, author and day as far as known."""

    url: str
    text: str = ""
    html: str = ""
    title: str = ""
    author: str = ""
    date: str = ""

    @field_validator("date")
    @classmethod
    def _is_day(cls, value: str) -> str:
        if value and not day_of(value):
            raise ValueError("expected YYYY-MM-DD")
        return day_of(value)

    @model_validator(mode="after")
    def _is_page(self) -> "CorpusRow":
        if not self.url.strip() or bool(self.text.strip()) == bool(self.html.strip()):
            raise ValueError("expected 'url', and either 'text' or 'html'")
        return self

    def article(self) -> Article:
        """Return what the page says. Raises NoPageError where its HTML says nothing."""
        now = datetime.now(UTC)
        if self.html:
            return extract(Page(self.url, "html", "", self.html.encode("utf-8", "replace"), now))
        fetched = now.isoformat(timespec="seconds")
        return Article(self.url, self.text.strip(), self.title, self.author, self.date, fetched)


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
    try:
        return CorpusRow.model_validate(json_value(line, source, place)).article()
    except ValidationError as error:
        first = error.errors()[0]
        raise RowError(source, place, ".".join(map(str, first["loc"])) or "url", first["msg"]) from None
    except NoPageError as error:
        raise RowError(source, place, "html", str(error)) from None
