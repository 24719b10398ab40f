"""Pages of a small web on this machine, asked for by the guarded client."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from refusalbench_tasks.collect.web import download
from refusalbench_tasks.collect.web.archive import Archive
from refusalbench_tasks.collect.web.extract import decoded
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.page import NoPageError, RefusedError, WebPage
from tests.collect.pages import LOCKS, PAGES, RELIABLE, url_of
from tests.collect.site import ODD, Site

URL = "http://records.example.gov/velmoor-lock.html"


NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def page_of(body: bytes, content_type: str = "text/html") -> WebPage:
    return WebPage(
        url="http://a.example.com/?q=1",
        status=200,
        content_type=content_type,
        body=body,
        fetched=NOW,
    )


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
            return (
                f"{'refused' if isinstance(error, RefusedError) else 'failed'}: {error}"
            )

    async def job(web: Web) -> list[WebPage | str]:
        return [await one(web, url) for url in urls]

    found: list[WebPage | str] = web_job(folder, job, **options)
    return found


def test_a_page_comes_as_it_was_served_and_is_had_once(
    site: Site, tmp_path: Path
) -> None:
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
    assert {url: page.body.decode() for url, page in first.items()} == {
        url: PAGES[url] for url in urls
    }
    assert sorted(site.paths()) == sorted(f"/{url.split('/', 3)[3]}" for url in urls)
    asked = len(site.seen)
    assert asked == len(urls) + 4  # and a robots.txt of each host
    assert web_job(tmp_path, all_pages) == first
    assert len(site.seen) == asked


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
        ("/not-html", "content type 'text/html' is not read"),
    ],
)
def test_what_is_forbidden_stays_so_after_a_redirect_and_from_the_archive(
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
        ("/cut", "no connection (RemoteProtocolError)", 3),
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


def test_a_host_is_asked_again_and_redirects_are_followed_five_times(
    site: Site, tmp_path: Path
) -> None:
    flaky, near, far = fetch(
        tmp_path, *(f"http://{ODD}/{path}" for path in ("flaky", "to-page", "hops/5"))
    )
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
        (
            "http://slowly.example.com/page",
            "robots.txt asks for 600 s between two requests",
        ),
        ("http://unheard.example.com/page", "robots.txt cannot be read (status 503)"),
        (
            "http://unknown.example.com/page",
            "robots.txt cannot be read (no connection (ConnectError))",
        ),
        ("http://10.0.0.7/page", "not a public address"),
    ],
)
def test_a_page_that_robots_or_the_guard_deny_is_never_asked_for(
    site: Site, tmp_path: Path, url: str, reason: str
) -> None:
    assert fetch(tmp_path, url, url) == [f"refused: {reason}"] * 2
    assert site.paths() == []


def test_rules_are_those_for_our_name_and_a_stored_robots_file_holds_for_a_day(
    site: Site, tmp_path: Path
) -> None:
    url = "http://partly.example.com/page"
    assert isinstance(fetch(tmp_path, url)[0], WebPage)
    archive = Archive(WebPage, tmp_path)
    robots = archive.get("http://partly.example.com/robots.txt")
    assert robots is not None
    archive.put(
        robots.url,
        robots.model_copy(update={"fetched": robots.fetched - timedelta(days=2)}),
    )
    fetch(tmp_path, "http://partly.example.com/private")
    assert [path for _, path, _ in site.seen] == ["/robots.txt", "/page", "/robots.txt"]


def test_between_two_requests_to_a_host_lies_the_delay(
    site: Site, tmp_path: Path
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    urls = [url_of(lock, RELIABLE[0]) for lock in LOCKS[:2]]
    found = fetch(
        tmp_path, *urls, urls[0], url_of(LOCKS[0], RELIABLE[1]), delay=7.0, sleep=sleep
    )
    assert {type(one) for one in found} == {WebPage}
    # robots.txt | pause, page | pause, page; the other host: robots.txt | pause, page
    assert [round(seconds) for seconds in slept if seconds] == [7, 7, 7]


def test_cookies_are_neither_kept_nor_sent_nor_stored_and_no_header_is_logged(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in (None, "httpx", "httpcore"):
        # a run of Inspect in this process makes them quiet
        caplog.set_level(logging.INFO, logger=name)
    fetch(tmp_path, URL, url_of(LOCKS[1], RELIABLE[0]))
    assert len(site.paths()) == 2
    assert not any("Cookie" in headers for _, _, headers in site.seen)
    assert not any(b"secret" in path.read_bytes() for path in tmp_path.glob("*/*.json"))
    assert "velmoor" in caplog.text
    assert "secret" not in caplog.text
    assert "User-Agent" not in caplog.text


@pytest.mark.parametrize(
    ("path", "word"), [("/latin", "Größe"), ("/utf", "Größe"), ("/greek", "γέφυρα")]
)
def test_a_wrong_or_missing_charset_does_not_spoil_the_text(
    site: Site, tmp_path: Path, path: str, word: str
) -> None:
    (page,) = fetch(tmp_path, f"http://{ODD}{path}")
    assert isinstance(page, WebPage)
    assert word in decoded(page)


def test_a_page_may_be_compressed(site: Site, tmp_path: Path) -> None:
    (page,) = fetch(tmp_path, f"http://{ODD}/zipped")
    assert isinstance(page, WebPage)
    assert page.body.startswith(b"<html>")
