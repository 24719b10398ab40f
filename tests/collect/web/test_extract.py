"""The article in a page."""

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.extract import Article, cut, extract, language_of
from refusalbench_tasks.collect.web.page import Failed, Page
from tests.collect.web.pages import OUTLETS, SUBJECTS, html_of, paragraphs, url_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def page(body: bytes | str, kind: Any = "html", charset: str = "utf-8") -> Page:
    raw = body if isinstance(body, bytes) else body.encode()
    return Page("http://a.example.com/x", "http://a.example.com/x", kind, charset, raw, NOW)


def test_an_article_has_its_text_title_author_and_day_of_publication_not_of_change() -> None:
    subject, outlet = SUBJECTS[2], OUTLETS[3]
    found = extract(page(html_of(subject, outlet)))
    assert isinstance(found, Article)
    assert found.title == "About the Karsby seed bank"
    assert found.author == "Ruth Lindqvist"
    assert found.published == "2021-03-12"  # the page was changed on 2024-06-12
    assert found.language == "en"
    assert all(paragraph in found.text for paragraph in paragraphs(subject, outlet))
    assert "cookies" not in found.text


def test_words_that_pages_have_in_their_menus_stay_in_sentences() -> None:
    text = (
        "The terms of the contact were about privacy, and nobody had to sign up or log in to read the header of the "
        "newsletter that was sponsored by the navigation school; the footer said so."
    )
    found = extract(page(f"<html><body><article><p>{text}</p><p>{text} Again.</p></article></body></html>"))
    assert isinstance(found, Article)
    assert text in found.text


def test_what_a_page_does_not_say_is_empty() -> None:
    words = "In March 2019 the bridge was painted, and in 2020 it was painted again, by the same people. " * 3
    found = extract(page(f"<html><body><p>{words}</p></body></html>"))
    assert isinstance(found, Article)
    assert (found.author, found.published, found.language) == ("", "", "")


def test_no_page_was_published_after_it_was_fetched() -> None:
    html = html_of(SUBJECTS[0], OUTLETS[0]).replace("2021-03", "2031-03").replace("2024-06", "2031-06")
    found = extract(page(html))
    assert isinstance(found, Article)
    assert found.published == ""


@pytest.mark.parametrize("body", ["<html><body><script>x</script></body></html>", "<<<>>>", "\0\0"])
def test_a_page_without_text_has_failed(body: str) -> None:
    assert isinstance(extract(page(body)), Failed)


@settings(max_examples=12)
@given(st.binary(max_size=120), st.sampled_from(["html", "plain", "pdf"]))
def test_no_bytes_raise(body: bytes, kind: str) -> None:
    assert isinstance(extract(page(body, kind)), Article | Failed)


def test_plain_text_keeps_its_paragraphs() -> None:
    found = extract(page(b"One  line.\r\nAnother.\r\n\r\n\r\n\r\nA new one.\r\n", "plain"))
    assert found == Article("One line.\nAnother.\n\nA new one.")


def pdf_of(text: str) -> bytes:
    """Return a one-page PDF with a line of text, a title and a day, built by hand."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Title (On locks) /Author (Ida Marsh) /CreationDate (D:20200504120000Z) >>",
    ]
    out, places = io.BytesIO(b"%PDF-1.4\n"), []
    out.seek(0, io.SEEK_END)
    for number, content in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    start = out.tell()
    out.write(b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size 6 /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF" % start)
    return out.getvalue()


def test_a_pdf_gives_its_text_and_what_it_says_of_itself() -> None:
    pytest.importorskip("pypdf")
    found = extract(page(pdf_of("The lock lets barges through."), "pdf"))
    assert found == Article("The lock lets barges through.", "On locks", "Ida Marsh", "2020-05-04")


def test_a_damaged_pdf_has_failed() -> None:
    assert extract(page(b"%PDF-1.4 and no more", "pdf")) == Failed("http://a.example.com/x", "the pdf cannot be read")


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang='de-AT'>", "de"),
        ('<HTML class="x" LANG="PT">', "pt"),
        ("<html lang=fil>", "fil"),
        ('<html><meta property="og:locale" content="fr_FR">', "fr"),
        ('<html><meta http-equiv="content-language" content="it">', "it"),
        ("<html data-lang='de'>", ""),
        ("<p>lang='de'</p>", ""),
    ],
)
def test_the_language_is_the_declared_one(html: str, language: str) -> None:
    assert language_of(html) == language


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (100, "One is here. Dr. Moe, at 3.5 km, is two.\n\nThree."),
        (48, "One is here. Dr. Moe, at 3.5 km, is two.\n\nThree."),  # 12 + 1 + 27 + 2 + 6 characters
        (47, "One is here. Dr. Moe, at 3.5 km, is two."),
        (40, "One is here. Dr. Moe, at 3.5 km, is two."),
        (39, "One is here."),
        (12, "One is here."),
        (11, "One is"),
        (3, "One"),
        (2, ""),
    ],
)
def test_a_cut_ends_with_a_sentence_or_else_with_a_word(most: int, kept: str) -> None:
    assert cut("One is here. Dr. Moe, at 3.5 km, is two.\n\nThree.", most) == kept


@given(st.text(max_size=200), st.integers(0, 220))
def test_a_cut_is_a_beginning_of_the_text_within_the_limit(text: str, most: int) -> None:
    kept = cut(text, most)
    assert text.startswith(kept)
    assert len(kept) <= most


def test_a_page_of_the_test_web_is_cut_to_what_a_record_stores() -> None:
    subject, outlet = SUBJECTS[0], OUTLETS[0]
    found = extract(page(html_of(subject, outlet)))
    assert isinstance(found, Article)
    kept = cut(found.text, 300)
    assert url_of(subject, outlet)
    assert kept.endswith((".", "!", "?"))
    assert 100 < len(kept) <= 300
