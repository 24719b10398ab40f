"""The article in a page: its text, who wrote it and when it was published.

No word is taken out of a sentence.
"""

import codecs
import io
import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from refusalbench_tasks.collect.web.page import FailedError, WebPage
from refusalbench_tasks.errors import DataError

MOST_SHEETS = 100
"""How many pages of a PDF are read."""
_BLANK = re.compile(r"[ \t\f\v\xa0]+")
_LINES = re.compile(r"\n\s*\n+")
_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_:.-]{2,40})""", re.IGNORECASE
)


@dataclass(frozen=True)
class Article:
    """What a page says.

    `url` is where it stands in the end, and `fetched` when it was had (UTC).
    `published` is the day of first publication as YYYY-MM-DD, as the page itself states
    it. It, `title` and `author` are "" where the page doesn't say: nothing is guessed.
    """

    url: str
    text: str
    title: str = ""
    author: str = ""
    published: str = ""
    fetched: str = ""


def extract(page: WebPage) -> Article:
    """Return the article of a page.

    Raises FailedError if it has none, DataError if a library is missing.

    HTML is read by trafilatura (main text, title, author) and htmldate (date of
    publication, from markup and address only, never later than the day of fetching);
    PDF by pypdf, its first 100 pages; plain text as it is.
    """
    try:
        text, *facts = {"html": _html, "pdf": _pdf}.get(page.kind or "", _plain)(page)
    except DataError:
        raise
    # a page can be broken in ways that no library foresees; one such page must not end
    # a run
    except Exception:
        raise FailedError(f"the {page.kind} cannot be read") from None
    if not _tidy(text):
        raise FailedError("no text found in the page")
    title, author, published = (" ".join(_tidy(fact or "").split()) for fact in facts)
    return Article(
        page.url,
        _tidy(text),
        title,
        author,
        published,
        page.fetched.isoformat(timespec="seconds"),
    )


def _html(page: WebPage) -> tuple[Any, ...]:
    day = page.fetched.date().isoformat()
    dates = {
        "original_date": True,
        "extensive_search": False,
        "outputformat": "%Y-%m-%d",
        "max_date": day,
    }
    found = library("trafilatura").bare_extraction(
        decoded(page),
        url=page.url,
        with_metadata=True,
        include_comments=False,
        date_extraction_params=dates,
    )
    return (
        (found.text or "", found.title, found.author, found.date)
        if found
        else ("", "", "", "")
    )


def _pdf(page: WebPage) -> tuple[Any, ...]:
    reader = library("pypdf").PdfReader(io.BytesIO(page.body))
    text = "\n\n".join(sheet.extract_text() for sheet in reader.pages[:MOST_SHEETS])
    facts = reader.metadata
    made = facts.creation_date.date() if facts and facts.creation_date else None
    published = made.isoformat() if made and made <= page.fetched.date() else ""
    return (text, facts.title, facts.author, published) if facts else (text, "", "", "")


def _plain(page: WebPage) -> tuple[Any, ...]:
    return decoded(page), "", "", ""


def decoded(page: WebPage) -> str:
    """Return the text of a page's bytes; nothing raises, and a byte that fits no
    charset becomes U+FFFD.

    In this order: UTF-8 if the bytes are valid UTF-8, because other text hardly ever is
    by chance; the charset that the server, then the page's `meta` declares, if all
    bytes fit it; Windows-1252, which browsers read for Latin-1.
    """
    meta = _META.search(page.body[:2_048])
    for name in ("utf-8-sig", page.charset, meta[1].decode("ascii") if meta else ""):
        try:
            if name and codecs.lookup(name).name not in ("iso8859-1", "ascii"):
                return page.body.decode(name)
        except (LookupError, ValueError):
            continue
    return page.body.decode("cp1252", "replace")


def _tidy(text: str) -> str:
    """Return a text with single spaces and single blank lines, without what can't be
    written as UTF-8.
    """
    whole = (
        text.encode("utf-8", "replace")
        .decode("utf-8")
        .replace("\0", "")
        .replace("\r\n", "\n")
    )
    lines = (_BLANK.sub(" ", line).strip() for line in whole.split("\n"))
    return _LINES.sub("\n\n", "\n".join(lines)).strip()


def library(name: str) -> Any:
    """Return a module that only an extra brings.

    Raises DataError, with the way to install it, if it isn't there.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise DataError(
            f"web: needs {error.name}; pip install 'refusalbench-tasks[web]'"
        ) from None
