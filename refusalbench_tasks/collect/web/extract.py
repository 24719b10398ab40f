"""The article in a page: its text, who wrote it and when it was published. No word is taken out of a sentence."""

import io
import re
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Any

from refusalbench_tasks.collect.web.charset import text_of
from refusalbench_tasks.collect.web.page import Failed, Page
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.sentences import sentences

MOST_SHEETS = 100
"""How many pages of a PDF are read."""
_LANGUAGE = re.compile(r"<html[^>]{0,500}?\slang\s*=\s*[\"']?\s*([a-z]{2,3})(?![a-z])", re.IGNORECASE)
_LOCALE = re.compile(
    r"<meta[^>]{0,200}?(?:og:locale|content-language)[\"'\s][^>]{0,200}?content\s*=\s*[\"']?\s*([a-z]{2,3})(?![a-z])",
    re.IGNORECASE,
)
_BLANK = re.compile(r"[ \t\f\v\xa0]+")
_LINES = re.compile(r"\n\s*\n+")


@dataclass(frozen=True)
class Article:
    """What a page says.

    `published` is the day of first publication as YYYY-MM-DD, as the page itself states it; `language` an ISO 639
    code, as the page declares it. Both, `title` and `author` are "" where the page doesn't say: nothing is guessed.
    """

    text: str
    title: str = ""
    author: str = ""
    published: str = ""
    language: str = ""


def extract(page: Page) -> Article | Failed:
    """Return the article of a page, or that it has none.

    HTML is read by trafilatura (main text, title, author) and htmldate (date of publication, from markup and address
    only, never later than the day of fetching); PDF by pypdf, its first 100 pages; plain text as it is. Raises
    DataError if a library is missing.
    """
    article = {"html": _of_html, "pdf": _of_pdf, "plain": _of_plain}[page.kind](page)
    if article is None:
        return Failed(page.asked, f"the {page.kind} cannot be read")
    return article if article.text else Failed(page.asked, "no text found in the page")


def cut(text: str, most: int) -> str:
    """Return the beginning of a text, at most `most` characters, that ends with a sentence.

    If not even the first sentence fits, it ends with a word; if no word fits, it is empty. White space inside stays.
    """
    if len(text) <= most:
        return text
    end = place = 0
    for sentence in sentences(text):
        begin = text.find(sentence, place)
        if begin < 0 or begin + len(sentence) > most:
            break
        end = place = begin + len(sentence)
    if end:
        return text[:end].rstrip()
    words = text[: most + 1]
    while words and not words[-1].isspace():
        words = words[:-1]
    return words.rstrip()


def _of_html(page: Page) -> Article | None:
    library = _library("trafilatura")
    html = text_of(page.body, page.charset)
    dates = {
        "original_date": True,
        "extensive_search": False,
        "outputformat": "%Y-%m-%d",
        "max_date": page.fetched.date().isoformat(),
    }
    try:
        found = library.bare_extraction(
            html, url=page.url, with_metadata=True, include_comments=False, date_extraction_params=dates
        )
    except (ValueError, TypeError, AttributeError, AssertionError, RecursionError):
        # a page can be broken in ways that the library doesn't foresee; one such page must not end a run
        return None
    if found is None:
        return Article("")
    return Article(
        text=_tidy(found.text or ""),
        title=_line(found.title),
        author=_line(found.author),
        published=_line(found.date),
        language=language_of(html),
    )


def language_of(html: str) -> str:
    """Return the language that an HTML page declares, as a code of two or three letters, "" without one."""
    found = _LANGUAGE.search(html[:20_000]) or _LOCALE.search(html[:20_000])
    return found[1].lower() if found else ""


def _of_pdf(page: Page) -> Article | None:
    library = _library("pypdf")
    try:
        reader = library.PdfReader(io.BytesIO(page.body))
        text = "\n\n".join(sheet.extract_text() for sheet in reader.pages[:MOST_SHEETS])
        facts = reader.metadata
        title, author = (facts.title, facts.author) if facts else ("", "")
        made = facts.creation_date.date() if facts and facts.creation_date else None
    except Exception:  # pypdf raises whatever a damaged file leads it into
        return None
    published = made.isoformat() if isinstance(made, date) and made <= page.fetched.date() else ""
    return Article(text=_tidy(text), title=_line(title), author=_line(author), published=published)


def _of_plain(page: Page) -> Article:
    return Article(text=_tidy(text_of(page.body, page.charset, html=False)))


def _tidy(text: str) -> str:
    """Return a text with single spaces and single blank lines, without what can't be written as UTF-8."""
    whole = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").replace("\r\n", "\n")
    lines = (_BLANK.sub(" ", line).strip() for line in whole.split("\n"))
    return _LINES.sub("\n\n", "\n".join(lines)).strip()


def _line(text: object) -> str:
    return " ".join(_tidy(text).split()) if isinstance(text, str) else ""


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        extra = "documents" if name == "pypdf" else "web"
        raise DataError(f"web: needs {error.name}; pip install 'refusalbench-tasks[{extra}]'") from None
