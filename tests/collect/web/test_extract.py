"""The article in a page, and what of it is stored."""

import io
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter

from refusalbench_tasks.collect.web.extract import Article, extract
from refusalbench_tasks.collect.web.page import FailedError, WebPage
from refusalbench_tasks.collect.web.relevance import cut
from tests.collect.pages import LOCKS, PAGES, url_of
from tests.own.documents.files import pdf

NOW = datetime(2026, 1, 2, tzinfo=UTC)
LOCK = PAGES[url_of(LOCKS[0], "records.example.gov")]
MOMENT = "2026-01-02T00:00:00+00:00"


def page(body: bytes | str, kind: Any = "html", charset: str = "utf-8") -> WebPage:
    raw = body if isinstance(body, bytes) else body.encode()
    declared = {"html": "text/html", "plain": "text/plain", "pdf": "application/pdf"}[
        kind
    ]
    kind_and_charset = f"{declared}; charset={charset}"
    return WebPage(
        url="http://a.example.com/x",
        status=200,
        content_type=kind_and_charset,
        body=raw,
        fetched=NOW,
    )


def test_an_article_has_text_title_author_and_the_day_of_its_publication() -> None:
    head = (
        '<meta name="author" content="Ruth Lindqvist"><meta'
        ' property="article:modified_time" content="2024-06-12">'
    )
    found = extract(
        page(LOCK.replace("</head>", f"{head}</head><nav>About cookies</nav>"))
    )
    assert (found.title, found.author, found.published) == (
        "About the Velmoor lock",
        "Ruth Lindqvist",
        "2021-03-14",
    )
    assert (
        "Keepers weigh every vessel at the upper pier, note the draught in a ledger"
        in found.text
    )
    assert "cookies" not in found.text
    assert (found.url, found.fetched) == ("http://a.example.com/x", MOMENT)


def test_missing_fields_are_empty_and_no_day_is_later_than_the_fetch() -> None:
    words = (
        "In March 2019 the bridge was painted, and in 2020 it was painted again, by the"
        " same people. " * 3
    )
    found = extract(page(f"<html><body><p>{words}</p></body></html>"))
    assert (found.author, found.published) == ("", "")
    assert extract(page(LOCK.replace("2021-03", "2031-03"))).published == ""


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<html><body><script>x</script></body></html>", "html"),
        ("\0\0", "html"),
        (b"%PDF-1.4", "pdf"),
    ],
)
def test_a_page_without_text_has_failed(body: Any, kind: str) -> None:
    with pytest.raises(FailedError):
        extract(page(body, kind))


@settings(max_examples=12)
@given(st.binary(max_size=120), st.sampled_from(["html", "plain", "pdf"]))
def test_no_bytes_break_a_run(body: bytes, kind: str) -> None:
    with suppress(FailedError):
        assert extract(page(body, kind)).text


def test_plain_text_keeps_its_paragraphs() -> None:
    found = extract(
        page(b"One  line.\r\nAnother.\r\n\r\n\r\n\r\nA new one.\r\n", "plain")
    )
    assert found == Article(
        "http://a.example.com/x", "One line.\nAnother.\n\nA new one.", fetched=MOMENT
    )


def pdf_of(text: str) -> bytes:
    """Return a one-page PDF with a line of text, an author, a title and a day."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf([[(72, text)]])))
    made = io.BytesIO()
    writer.add_metadata(
        {
            "/Title": "On locks",
            "/Author": "Ida Marsh",
            "/CreationDate": "D:20200504120000Z",
        }
    )
    writer.write(made)
    return made.getvalue()


def test_a_pdf_gives_its_text_and_what_it_says_of_itself() -> None:
    found = extract(page(pdf_of("The lock lets barges through."), "pdf"))
    said = (found.text, found.title, found.author, found.published)
    assert said == (
        "The lock lets barges through.",
        "On locks",
        "Ida Marsh",
        "2020-05-04",
    )


@given(st.text(max_size=200), st.integers(0, 220))
def test_a_cut_is_the_beginning_of_a_text_and_ends_with_a_whole_word(
    text: str, most: int
) -> None:
    kept = cut(text, most)
    assert text.startswith(kept)
    assert len(kept) <= most
    assert kept == text or not kept or text[len(kept)].isspace()
