"""The article in a page, and what of it is stored."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.extract import decoded, extract
from refusalbench_tasks.collect.web.page import (
    FailedError,
    WebPage,
)
from tests.collect.pages import LOCKS, PAGES, url_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)


LOCK = PAGES[url_of(LOCKS[0], "records.example.gov")]


MOMENT = "2026-01-02T00:00:00+00:00"


def page(body: bytes | str) -> WebPage:
    raw = body if isinstance(body, bytes) else body.encode()
    return WebPage(
        url="http://a.example.com/x",
        status=200,
        content_type="text/html; charset=utf-8",
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
    "body",
    [
        "<html><body><script>x</script></body></html>",
        "\0\0",
    ],
)
def test_a_page_without_text_has_failed(body: str) -> None:
    with pytest.raises(FailedError):
        extract(page(body))


@settings(max_examples=12)
@given(st.binary(max_size=120))
def test_no_bytes_break_a_run(body: bytes) -> None:
    with suppress(FailedError):
        assert extract(page(body)).text


def page_of(body: bytes, content_type: str = "text/html") -> WebPage:
    return WebPage(
        url="http://a.example.com/?q=1",
        status=200,
        content_type=content_type,
        body=body,
        fetched=NOW,
    )


@given(
    st.binary(max_size=200),
    st.sampled_from(
        ["", "x", "zlib", "rot13", "punycode", "utf-7", "idna", "utf-16", "\0"]
    ),
)
def test_no_bytes_and_no_name_of_a_charset_raise(body: bytes, charset: str) -> None:
    assert isinstance(decoded(page_of(body, f"text/html; charset={charset}")), str)
