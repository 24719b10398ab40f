"""Pages of the web: politely asked for, once, by addresses that are checked at every step."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import anyio
import httpx

from refusalbench_tasks.collect.web.archive import Archive, Exchange
from refusalbench_tasks.collect.web.download import Limits, Sleep, body_of, download, page_of
from refusalbench_tasks.collect.web.extract import Article, extract
from refusalbench_tasks.collect.web.guard import checked
from refusalbench_tasks.collect.web.page import ANY_KIND, KINDS, FailedError, NoPageError, Page, RefusedError
from refusalbench_tasks.collect.web.robots import RobotsRules, rules_of, unreachable
from refusalbench_tasks.collect.web.transport import CheckedTransport

AGENT = "refusalbench-tasks"
REDIRECTS = 5
HEADERS = {
    "User-Agent": AGENT,
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8",
    "Accept-Encoding": "gzip",
}
_MOVED = frozenset({301, 302, 303, 307, 308})
_ROBOTS_AGE = timedelta(days=1)
_MOST_RULES = 200
"""Of how many hosts rules are held, about twenty times their file; the others' are read from the archive."""


@dataclass(frozen=True)
class WebSettings:
    """How politely pages are asked for, and whether at all.

    `delay` is in seconds between two requests to a host (more if its robots.txt says so), `host_limit` the most pages
    of one host. With `offline` nothing is asked: what is not in the archive is not there.
    """

    delay: float = 1.0
    host_limit: int | None = None
    offline: bool = False
    connections: int = 20
    limits: Limits = field(default_factory=Limits)


@dataclass
class _Host:
    """One request at a time, a pause between two, and the pages that were taken, as numbers."""

    lock: anyio.Lock = field(default_factory=anyio.Lock)
    next_turn: float = 0.0
    pages: set[int] = field(default_factory=set)


class Web:
    """A client for pages, one for a run, since it counts and paces per host. It keeps no connection open.

    A page that is in the archive (`folder`) is not asked for again. robots.txt is honoured, a stored one for a day.
    Redirects are followed by us, at most 5, each address checked like the first. `requests` counts what was asked of
    the web, robots.txt included and further tries not. Requests carry no cookie and no credential, and nothing is
    logged but what httpx logs: method, address, status.
    """

    def __init__(
        self,
        folder: Path,
        settings: WebSettings | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        self.archive, self.requests = Archive(folder), 0
        self._settings, self._sleep = settings or WebSettings(), sleep
        self._limits = self._settings.limits
        self._hosts: dict[str, _Host] = defaultdict(_Host)
        self._rules: dict[str, RobotsRules] = {}
        self._room, self._one_reader = anyio.CapacityLimiter(self._settings.connections), anyio.CapacityLimiter(1)
        self._client = httpx.AsyncClient(
            transport=transport or CheckedTransport(),
            headers=HEADERS,
            follow_redirects=False,
            trust_env=False,
            timeout=self._limits.seconds,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),  # no cookie is kept
        )

    async def fetch(self, address: str) -> Page:
        """Return the page at an address, from the archive if it is there. Raises NoPageError with the reason."""
        for _ in range(REDIRECTS + 1):
            step = await self._step(address)
            if step.status not in _MOVED:
                return page_of(step, self._limits.size)
            address = _moved(step)
        raise RefusedError(f"more than {REDIRECTS} redirects")

    async def read(self, address: str) -> Article:
        """Return the article of the page at an address. Raises NoPageError.

        Pages are read in a thread, one at a time: several threads would not be faster, and each would hold a tree of
        its page.
        """
        page = await self.fetch(address)
        return await anyio.to_thread.run_sync(extract, page, limiter=self._one_reader)

    async def _step(self, address: str) -> Exchange:
        url = checked(address)
        host = self._hosts[url.host]
        limit, key = self._settings.host_limit, hash(str(url))
        if limit is not None and key not in host.pages and len(host.pages) >= limit:
            raise RefusedError(f"the limit of pages of {url.host}")
        host.pages.add(key)
        stored = await self._stored(url)
        if stored is not None:
            return stored
        if self._settings.offline:
            raise FailedError("not in the archive")
        rules = await self._rules_of(url)
        reason = rules.refused(str(url), AGENT)
        delay = max(self._settings.delay, rules.delay(AGENT))
        if reason is None and delay > max(self._limits.patience, self._settings.delay):
            reason = f"robots.txt asks for {delay:g} s between two requests"
        if reason:
            raise RefusedError(reason)
        return await self._asked(url, delay, KINDS)

    async def _rules_of(self, url: httpx.URL) -> RobotsRules:
        """Return a host's rules; they are read once in a run, whether they are to be had or not."""
        origin = str(url.copy_with(raw_path=b"/robots.txt"))
        if origin not in self._rules:
            try:
                rules = await self._read_rules(origin)
            except NoPageError as error:
                rules = unreachable(str(error))
            if len(self._rules) >= _MOST_RULES:
                del self._rules[next(iter(self._rules))]
            self._rules[origin] = rules
        return self._rules[origin]

    async def _read_rules(self, address: str) -> RobotsRules:
        for _ in range(REDIRECTS + 1):
            step = await self._asked(checked(address), self._settings.delay, ANY_KIND, _ROBOTS_AGE)
            if step.status not in _MOVED or not step.header("Location"):
                # of a file that is too long its beginning holds
                whole = replace(step, truncated="") if not step.header("Content-Encoding") else step
                return rules_of(step.status, body_of(whole, self._limits.size))
            address = _moved(step)
        raise RefusedError(f"more than {REDIRECTS} redirects")

    async def _asked(
        self, url: httpx.URL, delay: float, kinds: Collection[str], age: timedelta | None = None
    ) -> Exchange:
        """Return the response to a request in the host's turn, and store it; from the archive if it came meanwhile."""
        host = self._hosts[url.host]
        async with host.lock:
            stored = await self._stored(url, age)
            if stored is not None:
                return stored
            wait = host.next_turn - anyio.current_time()
            if wait > 0:
                await self._sleep(wait)
            limits = replace(self._limits, backoff=max(self._limits.backoff, delay))
            try:
                async with self._room:
                    self.requests += 1
                    new = await download(self._client, str(url), kinds, limits, self._sleep)
            finally:
                host.next_turn = anyio.current_time() + delay
            await anyio.to_thread.run_sync(self.archive.put, new)
            return new

    async def _stored(self, url: httpx.URL, age: timedelta | None = None) -> Exchange | None:
        """Return what the archive has, unless it is older than `age`, or cut where a larger limit is now."""
        found = await anyio.to_thread.run_sync(self.archive.get, str(url))
        if found is None or (found.truncated == "length" and len(found.body) < self._limits.size):
            return None
        return None if age is not None and datetime.now(UTC) - found.date > age else found


def _moved(step: Exchange) -> str:
    location = step.header("Location")
    if not location:
        raise FailedError(f"status {step.status} without an address")
    try:
        return str(httpx.URL(step.url).join(location))
    except (httpx.InvalidURL, ValueError):
        return location
