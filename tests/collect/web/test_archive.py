"""Responses on disk as WARC."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from refusalbench_tasks.collect.web.archive import Archive, Exchange
from refusalbench_tasks.collect.web.robots import rules_of
from refusalbench_tasks.errors import DataError

URL = "http://a.example.com/ä?x=1"
NOW = datetime(2026, 3, 1, 12, 30, 5, 250_000, tzinfo=UTC)
HEADERS = (("Content-Type", "text/html"), ("ETag", '"1"'), ("Via", "one"), ("Via", "two"))
ONE = Exchange(URL, 200, HEADERS, b"\x00body\r\n\r\nmore", NOW)


def test_what_was_put_comes_back(tmp_path: Path) -> None:
    Archive(tmp_path).put(ONE)
    assert Archive(tmp_path).get(URL) == ONE
    assert ONE.header("etag") == '"1"'
    assert ONE.header("Link") == ""


@pytest.mark.parametrize("truncated", ["length", "unspecified"])
def test_that_a_body_is_not_whole_is_kept(tmp_path: Path, truncated: str) -> None:
    Archive(tmp_path).put(replace(ONE, truncated=truncated, body=b""))
    found = Archive(tmp_path).get(URL)
    assert found
    assert found.truncated == truncated


def test_an_address_that_was_not_put_is_not_there(tmp_path: Path) -> None:
    assert Archive(tmp_path / "none").get(URL) is None


def test_the_latest_version_counts_with_its_latest_confirmation_and_the_earlier_ones_stay(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.put(replace(ONE, body=b"old"))
    archive.put(ONE)
    confirmed = archive.confirm(ONE, NOW + timedelta(days=2))
    assert archive.get(URL) == confirmed == replace(ONE, date=NOW + timedelta(days=2))
    from warcio.archiveiterator import ArchiveIterator

    with archive.path(URL).open("rb") as file:
        kinds = [(record.rec_type, record.http_headers.get_statuscode()) for record in ArchiveIterator(file)]
    assert kinds == [("response", "200"), ("response", "200"), ("revisit", "304")]


def test_secrets_and_headers_of_the_connection_are_left_out(tmp_path: Path) -> None:
    extra = (("Set-Cookie", "s=1"), ("Transfer-Encoding", "chunked"), ("Connection", "close"))
    Archive(tmp_path).put(replace(ONE, headers=HEADERS + extra))
    assert Archive(tmp_path).get(URL) == ONE


def test_all_files_joined_are_one_archive_that_others_read(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a")
    others = [replace(ONE, url=f"http://a.example.com/{n}", body=b"%d" % n) for n in range(5)]
    for one in others:
        archive.put(one)
    assert sorted(archive, key=lambda one: one.url) == others
    joined = tmp_path / "all.warc.gz"
    joined.write_bytes(b"".join(path.read_bytes() for path in sorted((tmp_path / "a").glob("*/*"))))
    from warcio.archiveiterator import ArchiveIterator

    with joined.open("rb") as file:
        found = {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
            for record in ArchiveIterator(file, check_digests="raise")
        }
    assert found == {one.url: one.body for one in others}


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x1f\x8b\x08", b"cut", b"changed"])
def test_a_damaged_file_is_one_line_that_names_it(tmp_path: Path, damage: bytes) -> None:
    archive = Archive(tmp_path)
    archive.put(ONE)
    path = archive.path(URL)
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 0xFF
    path.write_bytes({b"cut": whole[: len(whole) // 2], b"changed": bytes(changed)}.get(damage, damage))
    with pytest.raises(DataError, match=r"warc\.gz: .*delete the file"):
        archive.get(URL)


@pytest.mark.parametrize("status", [400, 404, 410, 451])
def test_without_a_robots_file_all_is_allowed(status: int) -> None:
    assert rules_of(status, b"User-agent: *\nDisallow: /").refused("http://a.com/x", "me") is None


@pytest.mark.parametrize("status", [429, 500, 503, 304])
def test_with_a_robots_file_that_cannot_be_read_nothing_is_allowed(status: int) -> None:
    assert rules_of(status, b"").refused("http://a.com/x", "me") == f"robots.txt cannot be read (status {status})"


def test_the_longest_rule_for_our_name_counts() -> None:
    rules = rules_of(
        200,
        b"User-agent: *\nDisallow: /\nCrawl-delay: 9\n\n"
        b"User-agent: me\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 2\nRequest-rate: 1/5\n",
    )
    assert rules.refused("http://x.com/a/c", "me") == "robots.txt disallows it"
    assert rules.refused("http://x.com/a/b", "me") is None
    assert rules.refused("http://x.com/z", "me") is None
    assert rules.refused("http://x.com/z", "you") == "robots.txt disallows it"
    assert (rules.delay("me"), rules.delay("you")) == (5.0, 9.0)


@pytest.mark.parametrize("body", [b"", b"\xff\xfe\x00", b"<html>not found</html>", b"Crawl-delay: much"])
def test_nonsense_in_a_robots_file_forbids_nothing(body: bytes) -> None:
    rules = rules_of(200, body)
    assert rules.refused("http://x.com/", "me") is None
    assert rules.delay("me") == 0
