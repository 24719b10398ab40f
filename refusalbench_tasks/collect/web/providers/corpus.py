"""A folder or a file of pages in place of the web: for tests, and for where there is no web."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from refusalbench_tasks.bounded_reading import json_value
from refusalbench_tasks.collect.web.extract import Article, cut, extract
from refusalbench_tasks.collect.web.hit import Hit, day_of
from refusalbench_tasks.collect.web.page import Failed, Kind, Page
from refusalbench_tasks.collect.web.shelf import Shelf
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.generators.kit.search import Index

SUFFIXES: dict[str, Kind] = {".html": "html", ".htm": "html", ".txt": "plain", ".md": "plain", ".pdf": "pdf"}
SNIPPET = 300
_FIELDS = ("title", "author", "date", "language")


@dataclass(frozen=True)
class _Entry:
    url: str
    article: Article


class Corpus:
    """Pages of one's own, found by BM25 over title and text.

    A JSONL file has one page a line: `url` and `text` or `html`, and with a text `title`, `author`, `date`
    (YYYY-MM-DD) and `language` as far as known. In a folder every .html, .htm, .txt, .md and .pdf file is a page, and
    its path is its address: HOST/PATH, as mirrors are saved. The texts lie in a temporary file: held in memory are
    the addresses and the index of words.
    """

    def __init__(self, path: Path) -> None:
        """Read all pages. Raises DataError for a missing place, a bad row, one address twice, and no page at all."""
        self._places: dict[str, int] = {}
        self._shelf = Shelf()
        self._index = Index(self._put(entry) for entry in (_rows(path) if path.is_file() else _files(path)))
        if not self._places:
            raise DataError(f"search=corpus: {path} holds no page")
        self._urls = tuple(self._places)

    def _put(self, entry: _Entry) -> str:
        """Put a page on the shelf, and return what it is found by."""
        self._places[entry.url] = self._shelf.put(entry.article)
        return f"{entry.article.title}\n{entry.article.text}"

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self._places)

    async def search(self, query: str, n: int) -> list[Hit]:
        """Return at most `n` hits, the nearest first; pages without a word of the query are none."""
        return [self._hit(position) for position, _ in self._index.nearest(query, n)]

    def _hit(self, position: int) -> Hit:
        article = self._shelf[position]
        return Hit(self._urls[position], article.title, cut(article.text, SNIPPET), article.published)

    async def read(self, url: str) -> Article | Failed:
        """Return the article at an address."""
        position = self._places.get(url)
        return Failed(url, "not in the corpus") if position is None else self._shelf[position]


def _rows(path: Path) -> Iterator[_Entry]:
    seen: dict[str, int] = {}
    with path.open(encoding="utf-8-sig", errors="strict") as file:
        try:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    entry = _row(json_value(line, str(path), f"line {number}"), str(path), f"line {number}")
                    if entry.url in seen:
                        raise RowError(str(path), f"line {number}", "url", f"is that of line {seen[entry.url]}")
                    seen[entry.url] = number
                    yield entry
        except UnicodeDecodeError as error:
            raise DataError(f"{path}: not UTF-8 text ({error.reason}); save it as UTF-8") from None


def _row(row: object, source: str, place: str) -> _Entry:
    if not isinstance(row, dict):
        raise DataError(f"{source}, {place}: expected an object with 'url' and 'text' or 'html'")
    url = row.get("url")
    if not isinstance(url, str) or not url.strip():
        raise RowError(source, place, "url", "expected the address of the page")
    given = [name for name in ("text", "html") if isinstance(row.get(name), str) and row[name].strip()]
    if len(given) != 1:
        raise RowError(source, place, "text", "expected either 'text' or 'html'")
    for name in _FIELDS:
        if not isinstance(row.get(name) or "", str):
            raise RowError(source, place, name, "expected text")
    if given == ["text"]:
        title, author, date, language = (row.get(name) or "" for name in _FIELDS)
        if date and not day_of(date):
            raise RowError(source, place, "date", "expected YYYY-MM-DD")
        return _Entry(url, Article(row["text"].strip(), title, author, day_of(date), language))
    found = extract(_page(url, "html", row["html"].encode("utf-8", "replace")))
    if isinstance(found, Failed):
        raise RowError(source, place, "html", found.reason)
    return _Entry(url, found)


def _files(folder: Path) -> Iterator[_Entry]:
    if not folder.is_dir():
        raise DataError(f"search=corpus: no such file or folder '{folder}'")
    for path in sorted(folder.rglob("*")):
        kind = SUFFIXES.get(path.suffix.lower())
        if kind is None or not path.is_file():
            continue
        try:
            body = path.read_bytes()
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from None
        found = extract(_page(f"http://{path.relative_to(folder).as_posix()}", kind, body))
        if isinstance(found, Article):
            yield _Entry(f"http://{path.relative_to(folder).as_posix()}", found)


def _page(url: str, kind: Kind, body: bytes) -> Page:
    return Page(url, url, kind, "", body, datetime.now(UTC))
