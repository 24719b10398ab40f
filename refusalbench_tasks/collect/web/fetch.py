"""Pages of the web: politely asked for, once, by addresses that are checked at every
step.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import anyio
import httpx

from refusalbench_tasks.libraries import library

from .archive import Archive
from .download import (
    BACKOFF,
    PATIENCE,
    SECONDS,
    Sleep,
    download,
)
from .extract import Article, extract
from .guard import checked
from .page import (
    MOVED,
    FailedError,
    RefusedError,
    WebPage,
)
from .transport import CheckedTransport

AGENT = "refusalbench-tasks"
HEADERS = {
    "User-Agent": AGENT,
    "Accept": "text/html,application/xhtml+xml",
    "Accept-Encoding": "gzip",
}
REDIRECTS = 5
_ROBOTS_AGE = timedelta(days=1)
_ROBOTS_LENGTH = 500 * 1024
"""How old a stored robots.txt may be, and how much of it is read, in bytes (RFC 9309,
§2.5).
"""


@dataclass
class _Host:
    """What is known of a host: who is there, when the next request is due, why
    robots.txt can't be had.
    """

    lock: anyio.Lock = field(default_factory=anyio.Lock)
    next_turn: float = 0.0
    closed: str = ""


class Web:
    """A client for pages, one for a run, since it paces per host.

    It keeps no connection open.

    A page that is in the archive (`folder`) is not asked for again. robots.txt is
    honoured, a stored one for a day; `delay` seconds pass between two requests to a
    host (more if robots.txt says so). Redirects are followed by us, at most 5, each
    address checked like the first. Requests carry no cookie and no credential, and
    nothing is logged but what httpx logs: method, address, status.
    """

    def __init__(
        self,
        folder: Path,
        delay: float = 1.0,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        self._archive = Archive(WebPage, folder)
        self._delay = delay
        self._sleep = sleep
        self._hosts: dict[str, _Host] = defaultdict(_Host)
        self._one_reader = anyio.CapacityLimiter(1)
        self._client = httpx.AsyncClient(
            transport=CheckedTransport(),
            headers=HEADERS,
            follow_redirects=False,
            trust_env=False,
            timeout=SECONDS,
            # no cookie is kept
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )

    async def read(self, address: str) -> Article:
        """Return the article of the page at an address.

        Raises NoPageError with the reason.

        Pages are read in a thread, one at a time: several threads would not be faster,
        and each would hold a tree of its page.
        """
        page = await self.fetch(address)
        return await anyio.to_thread.run_sync(
            extract,
            page,
            limiter=self._one_reader,
        )

    async def fetch(self, address: str) -> WebPage:
        """Return the page at an address, from the archive if it is there.

        Raises NoPageError.
        """
        page = await _followed(address, self._page)
        page.require_readable()
        return page

    async def _page(self, url: httpx.URL) -> WebPage:
        stored = self._archive.get(str(url))
        if stored is not None:
            return stored
        host = self._hosts[url.host]
        rules = None
        # 2xx: the file's rules. 4xx: there is none, all is allowed. Anything else: the
        # host can't say, nothing is allowed (RFC 9309).
        try:
            if not host.closed:
                rules = await self._robots(url)
        except RefusedError as error:
            host.closed = str(error)
        except FailedError as error:
            host.closed = f"robots.txt cannot be read ({error})"
        if host.closed:
            raise RefusedError(host.closed)
        delay = 0.0
        if rules is not None:
            if not rules.can_fetch(str(url), AGENT):
                raise RefusedError("robots.txt disallows it")
            delay = float(rules.crawl_delay(AGENT) or 0)
        if delay > max(PATIENCE, self._delay):
            raise RefusedError(f"robots.txt asks for {delay:g} s between two requests")
        return await self._asked(url, max(self._delay, delay))

    async def _robots(self, url: httpx.URL) -> Any:
        """Return the rules in the robots.txt of an address's host (None: there is
        none).

        Raises NoPageError if it can't be had.
        """

        async def ask(url: httpx.URL) -> WebPage:
            return await self._asked(
                url,
                self._delay,
                robots=True,
            )

        page = await _followed(str(url.copy_with(raw_path=b"/robots.txt")), ask)
        if page.oversize:
            raise RefusedError(f"robots.txt is {page.oversize}")
        status = page.status
        if 200 <= status < 300:
            text = page.body[:_ROBOTS_LENGTH].decode("utf-8", "replace")
            return library("protego", extra="web").Protego.parse(text)
        if 400 <= status < 500 and status != 429:
            return None
        raise FailedError(f"status {status}")

    async def _asked(
        self,
        url: httpx.URL,
        delay: float,
        robots: bool = False,
    ) -> WebPage:
        """Return the answer to a request in the host's turn, and keep it; from the
        archive if it came meanwhile.
        """
        host = self._hosts[url.host]
        async with host.lock:
            address = str(url)
            stored = self._archive.get(address)
            age = datetime.now(UTC) - stored.fetched if stored else timedelta()
            if stored and not (robots and age > _ROBOTS_AGE):
                return stored
            await self._sleep(max(0.0, host.next_turn - anyio.current_time()))
            pause = max(BACKOFF, delay)
            try:
                page = await download(
                    self._client,
                    address,
                    robots,
                    pause,
                    self._sleep,
                )
            finally:
                host.next_turn = anyio.current_time() + delay
            self._archive.put(address, page)
            return page


async def _followed(
    address: str, ask: Callable[[httpx.URL], Awaitable[WebPage]]
) -> WebPage:
    """Return what an address leads to, each step checked.

    Raises NoPageError, also for too many redirects.
    """
    for _ in range(REDIRECTS + 1):
        page = await ask(checked(address))
        if page.status not in MOVED:
            return page
        address = page.target
    raise RefusedError(f"more than {REDIRECTS} redirects")
