"""The article in a page: its text, who wrote it and when it was published.

No word is taken out of a sentence.
"""

import codecs
import re
from dataclasses import dataclass

from refusalbench_tasks.libraries import library
from refusalbench_tasks.replies.outside_text import one_line

from .page import FailedError, WebPage

_LINES = re.compile(r"\n\n+")
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
    """Return the article of a page of HTML.

    Raises FailedError if it has none, DataError if a library is missing.

    It is read by trafilatura (main text, title, author) and htmldate (date of
    publication, from markup and address only, never later than the day of fetching).
    """
    trafilatura = library("trafilatura", extra="web")
    dates = {
        "original_date": True,
        "extensive_search": False,
        "outputformat": "%Y-%m-%d",
        "max_date": page.fetched.date().isoformat(),
    }
    try:
        article = trafilatura.bare_extraction(
            decoded(page),
            url=page.url,
            with_metadata=True,
            include_comments=False,
            date_extraction_params=dates,
        )
    # a page can be broken in ways that no library foresees; one such page must not end
    # a run
    except Exception:
        raise FailedError("the page cannot be read") from None
    lines = map(one_line, (article.text or "").split("\n")) if article else ()
    text = _LINES.sub("\n\n", "\n".join(lines)).strip()
    if not text:
        raise FailedError("no text found in the page")
    return Article(
        url=page.url,
        text=text,
        title=one_line(article.title or ""),
        author=one_line(article.author or ""),
        published=one_line(article.date or ""),
        fetched=page.fetched.isoformat(timespec="seconds"),
    )


def decoded(page: WebPage) -> str:
    """Return the text of a page's bytes; nothing raises, and a byte that fits no
    charset becomes U+FFFD.

    In this order: UTF-8 if the bytes are valid UTF-8, because other text hardly ever is
    by chance; the charset that the server, then the page's `meta` declares, if all
    bytes fit it; Windows-1252, which browsers read for Latin-1.
    """
    meta = _META.search(page.body[:2_048])
    declared = meta[1].decode("ascii") if meta else ""
    for name in ("utf-8-sig", page.charset, declared):
        try:
            if name and codecs.lookup(name).name not in ("iso8859-1", "ascii"):
                return page.body.decode(name)
        except (LookupError, ValueError):
            continue
    return page.body.decode("cp1252", "replace")
