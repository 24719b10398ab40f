"""What the web gave is kept whole."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from refusalbench_tasks.collect.web.archive import Archive
from refusalbench_tasks.collect.web.page import WebPage
from refusalbench_tasks.errors import DataError

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def page_of(body: bytes, content_type: str = "text/html") -> WebPage:
    return WebPage(
        url="http://a.example.com/?q=1",
        status=200,
        content_type=content_type,
        body=body,
        fetched=NOW,
    )


@pytest.mark.parametrize("body", [b"<html>\r\n\r\nx</html>", bytes(range(256)), b""])
def test_what_is_kept_comes_back_as_it_was(tmp_path: Path, body: bytes) -> None:
    archive = Archive(WebPage, tmp_path)
    archive.put("key", page_of(body))
    assert archive.get("key") == page_of(body)
    assert archive.get("other") is None


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"{}", b'{"url": "', b"\xff"])
def test_a_damaged_file_is_one_line_that_names_it(
    tmp_path: Path, damage: bytes
) -> None:
    archive = Archive(WebPage, tmp_path)
    archive.put("key", page_of(b"x"))
    archive.path("key").write_bytes(damage)
    with pytest.raises(DataError, match=r"\.json: damaged; delete the file"):
        archive.get("key")
