"""Pages of a small web on this machine, asked for by the guarded client."""

import gzip
import logging
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.collect.web import download
from refusalbench_tasks.collect.web.archive import Archive, Exchange
from refusalbench_tasks.collect.web.download import body_of
from refusalbench_tasks.collect.web.extract import decoded
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.page import NoPageError, RefusedError, WebPage, kind_of
from refusalbench_tasks.errors import DataError
from tests.collect.pages import LOCKS, PAGES, RELIABLE, url_of
from tests.collect.site import ODD, Site

URL = "http://records.example.gov/velmoor-lock.html"
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
HEADERS = (("Content-Type", "text/html"), ("X-A", "1"))
ONE = Exchange("http://a.example.com/?q=1", 200, HEADERS, b"<html>\r\n\r\nx</html>", NOW)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "LARGEST", 200_000)
    monkeypatch.setattr("refusalbench_tasks.collect.web.fetch.BACKOFF", 0.0)


def web_job(folder: Path, job: Callable[[Web], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        return await job(Web(folder, **{"delay": 0.0, **options}))

    return anyio.run(run)


def fetch(folder: Path, *urls: str, **options: Any) -> list[WebPage | str]:
    """Return pages, or in which way and why there is none."""

    async def one(web: Web, url: str) -> WebPage | str:
        try:
            return await web.fetch(url)
        except NoPageError as error:
            return f"{'refused' if isinstance(error, RefusedError) else 'failed'}: {error}"

    async def job(web: Web) -> list[WebPage | str]:
        return [await one(web, url) for url in urls]

    found: list[WebPage | str] = web_job(folder, job, **options)
    return found


def test_a_page_comes_as_it_was_served_and_is_had_once(site: Site, tmp_path: Path) -> None:
    urls = [url_of(lock, host) for lock in LOCKS[:5] for host in RELIABLE[:4]]

    async def all_pages(web: Web) -> dict[str, WebPage]:
        found: dict[str, WebPage] = {}

        async def one(url: str) -> None:
            found[url] = await web.fetch(url)

        async with anyio.create_task_group() as group:
            for url in (*urls, *urls):  # each twice at the same time
                group.start_soon(one, url)
        return found

    first = web_job(tmp_path, all_pages)
    assert {url: page.body.decode() for url, page in first.items()} == {url: PAGES[url] for url in urls}
    assert sorted(site.paths()) == sorted(f"/{url.split('/', 3)[3]}" for url in urls)
    asked = len(site.seen)
    assert asked == len(urls) + 4  # and a robots.txt of each host
    assert web_job(tmp_path, all_pages) == web_job(tmp_path, all_pages, offline=True) == first
    assert len(site.seen) == asked
    assert fetch(tmp_path, url_of(LOCKS[9], RELIABLE[0]), offline=True) == ["failed: not in the archive"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/to-loopback", "not a public address"),
        ("/to-inside", "the name leads to an address that is not public"),
        ("/to-number", "not a valid numeric address"),
        ("/to-file", "scheme 'file' is not http or https"),
        ("/to-denied", "robots.txt disallows it"),
        ("/to-self", "more than 5 redirects"),
        ("/hops/6", "more than 5 redirects"),
        ("/endless", "larger than 200,000 bytes"),
        ("/bomb", "larger than 200,000 bytes"),
        ("/picture", "content type 'image/png' is not read"),
    ],
)
def test_what_may_not_be_had_is_refused_also_after_a_redirect_and_from_the_archive(
    site: Site, tmp_path: Path, path: str, reason: str
) -> None:
    url = f"http://{ODD}{path}"
    assert fetch(tmp_path, url) == [f"refused: {reason}"]
    before = site.paths()
    assert "/secret" not in before
    assert fetch(tmp_path, url) == [f"refused: {reason}"]
    assert site.paths() == before


@pytest.mark.parametrize(
    ("path", "reason", "times"),
    [
        ("/cut", "RemoteProtocolError", 3),
        ("/broken-gzip", "the body is not valid gzip", 1),
        ("/half-gzip", "the compressed body ends too early", 1),
        ("/brotli", "content encoding 'br' was not asked for", 1),
        ("/empty", "an empty page", 1),
        ("/gone", "status 410", 1),
        ("/to-nowhere", "status 302 without an address", 1),
        ("/down", "status 503", 3),
        ("/down-long", "status 503", 1),
    ],
)
def test_what_is_not_given_has_failed_with_its_reason(
    site: Site, tmp_path: Path, path: str, reason: str, times: int
) -> None:
    (found,) = fetch(tmp_path, f"http://{ODD}{path}")
    assert isinstance(found, str)
    assert found.startswith(f"failed: {reason}")
    assert len(site.paths()) == times


@pytest.mark.parametrize("path", ["/slow", "/dripping"])
def test_a_page_that_takes_too_long_has_failed(
    site: Site, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "SECONDS", 0.15)
    monkeypatch.setattr(download, "TRIES", 1)
    assert fetch(tmp_path, f"http://{ODD}{path}") == ["failed: no answer within 0.15 s"]


def test_a_host_that_recovers_is_asked_again_and_redirects_are_followed_five_times(site: Site, tmp_path: Path) -> None:
    flaky, near, far = fetch(tmp_path, *(f"http://{ODD}/{path}" for path in ("flaky", "to-page", "hops/5")))
    assert isinstance(flaky, WebPage)
    assert isinstance(near, WebPage)
    assert isinstance(far, WebPage)
    assert near.url == URL
    assert site.paths(ODD).count("/flaky") == 3


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://denied.example.com/page", "robots.txt disallows it"),
        ("http://partly.example.com/private", "robots.txt disallows it"),
        ("http://slowly.example.com/page", "robots.txt asks for 600 s between two requests"),
        ("http://unheard.example.com/page", "robots.txt cannot be read (status 503)"),
        ("http://unknown.example.com/page", "robots.txt cannot be read (ConnectError: the name cannot be resolved)"),
        ("http://10.0.0.7/page", "not a public address"),
    ],
)
def test_a_page_that_robots_or_the_guard_deny_is_never_asked_for(
    site: Site, tmp_path: Path, url: str, reason: str
) -> None:
    assert fetch(tmp_path, url, url) == [f"refused: {reason}"] * 2
    assert site.paths() == []


def test_rules_are_those_for_our_name_and_a_stored_robots_file_holds_for_a_day(site: Site, tmp_path: Path) -> None:
    url = "http://partly.example.com/page"
    assert isinstance(fetch(tmp_path, url)[0], WebPage)
    archive = Archive(tmp_path)
    robots = archive.get("http://partly.example.com/robots.txt")
    assert robots is not None
    archive.put(replace(robots, date=robots.date - timedelta(days=2)))
    fetch(tmp_path, "http://partly.example.com/private")
    assert [path for _, path, _ in site.seen] == ["/robots.txt", "/page", "/robots.txt"]


def test_a_host_gives_no_more_pages_than_the_limit_and_between_two_lies_the_delay(site: Site, tmp_path: Path) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    urls = [url_of(lock, RELIABLE[0]) for lock in LOCKS[:3]]
    other = url_of(LOCKS[0], RELIABLE[1])
    found = fetch(tmp_path, *urls[:2], urls[0], urls[2], other, host_limit=2, delay=7.0, sleep=sleep)
    assert [type(one) for one in found] == [WebPage, WebPage, WebPage, str, WebPage]
    assert found[3] == f"refused: the limit of pages of {RELIABLE[0]}"
    # robots.txt | pause, page | pause, page; the other host: robots.txt | pause, page
    assert [round(seconds) for seconds in slept if seconds] == [7, 7, 7]


def test_cookies_are_neither_kept_nor_sent_nor_stored_and_no_header_is_logged(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in (None, "httpx", "httpcore"):
        caplog.set_level(logging.INFO, logger=name)  # a run of Inspect in this process makes them quiet
    fetch(tmp_path, URL, url_of(LOCKS[1], RELIABLE[0]))
    assert len(site.paths()) == 2
    assert not any("Cookie" in headers for _, _, headers in site.seen)
    assert not any(b"secret" in gzip.decompress(path.read_bytes()) for path in tmp_path.glob("*/*.gz"))
    assert "velmoor" in caplog.text
    assert "secret" not in caplog.text
    assert "User-Agent" not in caplog.text


@pytest.mark.parametrize(("path", "word"), [("/latin", "Größe"), ("/utf", "Größe"), ("/greek", "γέφυρα")])
def test_a_wrong_or_missing_charset_does_not_spoil_the_text(site: Site, tmp_path: Path, path: str, word: str) -> None:
    (page,) = fetch(tmp_path, f"http://{ODD}{path}")
    assert isinstance(page, WebPage)
    assert word in decoded(page)


@given(
    st.binary(max_size=200), st.sampled_from(["", "x", "zlib", "rot13", "punycode", "utf-7", "idna", "utf-16", "\0"])
)
def test_no_bytes_and_no_name_of_a_charset_raise(body: bytes, charset: str) -> None:
    assert isinstance(decoded(WebPage("", "html", charset, body, NOW)), str)


@pytest.mark.parametrize(("path", "kind"), [("/zipped", "html"), ("/plain", "plain"), ("/not-html", "pdf")])
def test_a_page_is_what_its_bytes_say(site: Site, tmp_path: Path, path: str, kind: str) -> None:
    (page,) = fetch(tmp_path, f"http://{ODD}{path}")
    assert isinstance(page, WebPage)
    assert page.kind == kind


def test_a_body_is_what_its_type_and_first_bytes_say() -> None:
    assert kind_of("application/xhtml+xml; charset=x", b"anything") == "html"
    assert kind_of("text/html", b"\n%PDF-1.7") == "pdf"
    assert kind_of("", b"\xef\xbb\xbf <!DOCTYPE HTML><html>") == "html"
    for declared, body in (("application/pdf", b"<html>"), ("", b"anything"), ("image/png", b"<html>")):
        assert kind_of(declared, body) is None


def test_a_bomb_is_never_unpacked() -> None:
    bomb = replace(ONE, headers=(("Content-Encoding", "gzip"),), body=gzip.compress(b"\0" * 30_000_000))
    tracemalloc.start()
    with pytest.raises(RefusedError):
        body_of(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_pages_are_read_one_at_a_time_so_that_no_two_trees_are_held(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, most = 0, 0

    def slow(page: WebPage) -> str:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.01)
        inside -= 1
        return page.url

    monkeypatch.setattr("refusalbench_tasks.collect.web.fetch.extract", slow)

    async def job(web: Web) -> None:
        async with anyio.create_task_group() as group:
            for host in RELIABLE:
                group.start_soon(web.read, url_of(LOCKS[0], host))

    web_job(tmp_path, job)
    assert most == 1


def test_what_is_stored_comes_back_without_secrets_and_all_files_joined_are_one_archive(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a")
    secret = (("Set-Cookie", "s=1"), ("Transfer-Encoding", "chunked"), ("Connection", "close"))
    stored = [replace(ONE, url=f"http://a.example.com/{n}", body=b"%d" % n) for n in range(3)]
    for one in stored:
        archive.put(replace(one, headers=one.headers + secret))
        assert archive.get(one.url) == one
    assert archive.get("http://a.example.com/none") is None
    cut = replace(ONE, truncated="length")
    archive.put(cut)
    assert archive.get(ONE.url) == cut
    joined = tmp_path / "all.warc.gz"
    joined.write_bytes(b"".join(path.read_bytes() for path in (tmp_path / "a").glob("*/*")))
    from warcio.archiveiterator import ArchiveIterator

    with joined.open("rb") as file:
        records = list(ArchiveIterator(file, check_digests="raise"))
    assert {one.rec_headers.get_header("WARC-Target-URI") for one in records} == {ONE.url, *(one.url for one in stored)}


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x1f\x8b\x08", b"cut", b"changed"])
def test_a_damaged_file_is_one_line_that_names_it(tmp_path: Path, damage: bytes) -> None:
    archive = Archive(tmp_path)
    archive.put(ONE)
    path = archive.path(ONE.url)
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 0xFF
    path.write_bytes({b"cut": whole[: len(whole) // 2], b"changed": bytes(changed)}.get(damage, damage))
    with pytest.raises(DataError, match=r"warc\.gz: .*delete the file"):
        archive.get(ONE.url)
