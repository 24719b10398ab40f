"""Pages of a small web on this machine, asked for by the guarded client."""

import gzip
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from refusalbench_tasks.collect.web.charset import text_of
from refusalbench_tasks.collect.web.download import Limits
from refusalbench_tasks.collect.web.fetch import Web
from refusalbench_tasks.collect.web.page import Failed, Page, Refused
from refusalbench_tasks.errors import DataError
from tests.collect.web.pages import PAGES, html_of
from tests.collect.web.site import ODD, Site

VELDMOOR = "http://records.example.gov/veldmoor.html"
QUICK = Limits(size=200_000, seconds=20.0, retries=2, backoff=0.0)


def fetch(site: Site, folder: Path, *urls: str, **options: Any) -> list[Page | Refused | Failed]:
    async def run(web: Web) -> list[Page | Refused | Failed]:
        return [await web.fetch(url) for url in urls]

    found: list[Page | Refused | Failed] = with_web(site, folder, run, **options)
    return found


def with_web(site: Site, folder: Path, job: Callable[[Web], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        settings: dict[str, Any] = {"delay": 0.0, "limits": QUICK, "transport": site.transport(), **options}
        async with Web(folder, **settings) as web:
            return await job(web)

    return anyio.run(run)


def test_a_page_comes_as_it_was_served(site: Site, tmp_path: Path) -> None:
    (page,) = fetch(site, tmp_path, VELDMOOR)
    assert isinstance(page, Page)
    assert (page.asked, page.url, page.kind, page.charset) == (VELDMOOR, VELDMOOR, "html", "utf-8")
    assert page.body.decode() == html_of(*PAGES[VELDMOOR])


def test_a_hundred_pages_are_each_asked_for_once_in_two_runs_and_a_third_without_a_web(
    site: Site, tmp_path: Path
) -> None:
    async def all_pages(web: Web) -> list[Page]:
        found: dict[str, Page] = {}

        async def one(url: str) -> None:
            found[url] = await web.fetch(url)  # type: ignore[assignment]

        async with anyio.create_task_group() as group:
            for url in (*PAGES, *PAGES):  # each twice at the same time
                group.start_soon(one, url)
        return [found[url] for url in PAGES]

    first = with_web(site, tmp_path, all_pages)
    assert sorted(site.paths()) == sorted("/" + url.split("/", 3)[3] for url in PAGES)
    assert len([path for _, path, _ in site.seen if path == "/robots.txt"]) == 10
    asked = len(site.seen)
    assert with_web(site, tmp_path, all_pages) == first
    assert with_web(site, tmp_path, all_pages, offline=True, transport=None) == first
    assert len(site.seen) == asked == 110


def test_the_offline_client_asks_nobody(site: Site, tmp_path: Path) -> None:
    assert fetch(site, tmp_path, VELDMOOR, offline=True) == [Failed(VELDMOOR, "not in the archive")]
    assert site.seen == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/to-loopback", "loopback address"),
        ("/to-metadata", "link-local and cloud metadata address"),
        ("/to-inside", "the name leads to a private address"),
        ("/to-number", "loopback address"),
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
    assert fetch(site, tmp_path, url) == [Refused(url, reason)]
    before = site.paths()
    assert "/secret" not in before
    assert fetch(site, tmp_path, url) == [Refused(url, reason)]
    assert site.paths() == before


@pytest.mark.parametrize(
    ("path", "reason", "times"),
    [
        ("/cut", "RemoteProtocolError", 3),
        ("/broken-gzip", "the body is not valid gzip", 1),
        ("/brotli", "content encoding 'br' was not asked for", 1),
        ("/empty", "an empty page", 1),
        ("/gone", "status 410", 1),
        ("/nothing", "status 404", 1),
        ("/to-nowhere", "status 302 without an address", 1),
        ("/down", "status 503", 3),
        ("/down-long", "status 503", 1),
    ],
)
def test_what_is_not_given_has_failed_with_its_reason(
    site: Site, tmp_path: Path, path: str, reason: str, times: int
) -> None:
    (found,) = fetch(site, tmp_path, f"http://{ODD}{path}")
    assert isinstance(found, Failed)
    assert found.reason.startswith(reason)
    assert len(site.paths()) == times


@pytest.mark.parametrize("path", ["/slow", "/dripping"])
def test_a_page_that_takes_too_long_has_failed(site: Site, tmp_path: Path, path: str) -> None:
    limits = Limits(seconds=0.15, retries=0)
    (found,) = fetch(site, tmp_path, f"http://{ODD}{path}", limits=limits)
    assert found == Failed(f"http://{ODD}{path}", "no answer within 0.15 s")


def test_a_host_that_recovers_is_asked_again(site: Site, tmp_path: Path) -> None:
    (found,) = fetch(site, tmp_path, f"http://{ODD}/flaky")
    assert isinstance(found, Page)
    assert site.paths() == ["/flaky"] * 3


@pytest.mark.parametrize(("path", "redirects"), [("/to-page", 1), ("/hops/5", 5)])
def test_redirects_are_followed_five_times(site: Site, tmp_path: Path, path: str, redirects: int) -> None:
    url = f"http://{ODD}{path}"
    (found,) = fetch(site, tmp_path, url)
    assert isinstance(found, Page)
    assert found.asked == url
    assert found.url != url
    assert "#" not in found.url
    assert len(site.paths()) == redirects + 1


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://denied.example.com/page", "robots.txt disallows it"),
        ("http://partly.example.com/private", "robots.txt disallows it"),
        ("http://slowly.example.com/page", "robots.txt asks for 600 s between two requests"),
        ("http://unheard.example.com/page", "robots.txt cannot be read (status 503)"),
        ("http://unknown.example.com/page", "robots.txt cannot be read (ConnectError: the name cannot be resolved)"),
        ("http://inside.example.com/page", "the name leads to a private address"),
        ("http://10.0.0.7/page", "private address"),
    ],
)
def test_a_page_that_robots_or_the_guard_deny_is_never_asked_for(
    site: Site, tmp_path: Path, url: str, reason: str
) -> None:
    assert fetch(site, tmp_path, url) == [Refused(url, reason)]
    assert site.paths() == []


def test_robots_rules_are_those_for_our_name(site: Site, tmp_path: Path) -> None:
    assert isinstance(fetch(site, tmp_path, "http://partly.example.com/page")[0], Page)
    url = "http://partly.example.com/private"
    assert isinstance(fetch(site, tmp_path, url, agent="another-reader")[0], Page)


def test_a_host_gives_no_more_pages_than_the_limit_and_a_known_page_costs_nothing(site: Site, tmp_path: Path) -> None:
    urls = [url for url in PAGES if "gazette" in url][:3]
    found = fetch(site, tmp_path, *urls[:2], urls[0], urls[2], VELDMOOR, host_limit=2)
    assert [type(one) for one in found] == [Page, Page, Page, Refused, Page]
    assert found[3] == Refused(urls[2], "the limit of pages of gazette.example.com")
    again = fetch(site, tmp_path, *urls[:2], urls[0], urls[2], VELDMOOR, host_limit=2)
    assert again == found


def test_between_two_requests_to_a_host_lies_the_delay_and_other_hosts_do_not_wait(site: Site, tmp_path: Path) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    urls = [url for url in PAGES if "gazette" in url][:2]
    fetch(site, tmp_path, *urls, VELDMOOR, delay=7.0, sleep=sleep)
    # robots.txt, page | pause, page; the other host: robots.txt, page
    assert [round(seconds) for seconds in slept] == [7, 7, 7]
    assert all(6.5 < seconds <= 7 for seconds in slept)


def test_an_old_page_is_revalidated_by_its_tag_and_not_sent_again(site: Site, tmp_path: Path) -> None:
    (first,) = fetch(site, tmp_path, VELDMOOR)
    (second,) = fetch(site, tmp_path, VELDMOOR, fresh=timedelta(0))
    assert isinstance(first, Page)
    assert isinstance(second, Page)
    assert second.body == first.body
    assert second.fetched > first.fetched
    tags = [headers.get("If-None-Match") for _, path, headers in site.seen if path != "/robots.txt"]
    assert tags == [None, f'"{len(first.body.decode())}"']
    assert fetch(site, tmp_path, VELDMOOR, fresh=timedelta(hours=1)) == [second]
    assert len(site.paths()) == 2


def test_cookies_are_neither_kept_nor_sent_nor_stored(site: Site, tmp_path: Path) -> None:
    fetch(site, tmp_path, VELDMOOR, VELDMOOR.replace("veldmoor", "ostrel"))
    assert len(site.paths()) == 2
    assert not any("Cookie" in headers for _, _, headers in site.seen)
    assert not any(b"secret" in gzip.decompress(path.read_bytes()) for path in tmp_path.glob("*/*.gz"))


def test_no_header_reaches_the_log(site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in (None, "httpx", "httpcore"):
        caplog.set_level(logging.INFO, logger=name)  # a run of Inspect in this process makes them quiet
    fetch(site, tmp_path, VELDMOOR)
    assert "veldmoor" in caplog.text
    assert "visitor" not in caplog.text
    assert "User-Agent" not in caplog.text


@pytest.mark.parametrize(("path", "word"), [("/latin", "Größe"), ("/utf", "Größe"), ("/greek", "γέφυρα")])
def test_a_wrong_or_missing_charset_does_not_spoil_the_text(site: Site, tmp_path: Path, path: str, word: str) -> None:
    (page,) = fetch(site, tmp_path, f"http://{ODD}{path}")
    assert isinstance(page, Page)
    assert word in text_of(page.body, page.charset)


@pytest.mark.parametrize(("path", "kind"), [("/zipped", "html"), ("/plain", "plain"), ("/not-html", "pdf")])
def test_a_page_is_what_its_bytes_say(site: Site, tmp_path: Path, path: str, kind: str) -> None:
    (page,) = fetch(site, tmp_path, f"http://{ODD}{path}")
    assert isinstance(page, Page)
    assert page.kind == kind


def test_a_larger_limit_asks_again_for_a_page_that_was_cut(site: Site, tmp_path: Path) -> None:
    url = f"http://{ODD}/endless"
    fetch(site, tmp_path, url, limits=Limits(size=1_000, seconds=5))
    found = fetch(site, tmp_path, url, limits=Limits(size=2_000, seconds=5))
    assert found == [Refused(url, "larger than 2,000 bytes")]
    assert site.paths() == ["/endless"] * 2


def test_a_damaged_archive_is_one_line_that_names_the_file(site: Site, tmp_path: Path) -> None:
    fetch(site, tmp_path, VELDMOOR)
    for path in tmp_path.glob("*/*.gz"):
        path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(DataError, match=r"warc\.gz: .*delete the file to fetch the page again"):
        fetch(site, tmp_path, VELDMOOR)
