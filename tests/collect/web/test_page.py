"""A page as it was served."""

from datetime import UTC, datetime

import pytest

from refusalbench_tasks.collect.web.page import RefusedError, WebPage

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def page_of(body: bytes, content_type: str = "text/html") -> WebPage:
    return WebPage(
        url="http://a.example.com/?q=1",
        status=200,
        content_type=content_type,
        body=body,
        fetched=NOW,
    )


def test_a_page_of_another_type_is_not_read_and_no_pdf_as_text() -> None:
    page_of(b"anything", "application/xhtml+xml; charset=x").require_readable()
    for declared, body in (
        ("text/html", b"\n%PDF-1.7"),
        ("application/pdf", b"<html>"),
        ("", b"<html>"),
        ("image/png", b"<html>"),
    ):
        with pytest.raises(RefusedError, match="is not read"):
            page_of(body, declared).require_readable()
