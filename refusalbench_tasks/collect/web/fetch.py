"""Pages of the web: politely asked for, once, by addresses that are checked at every step."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from types import TracebackType

import anyio
import httpx

from refusalbench_tasks.collect.web.archive import Archive, Exchange
from refusalbench_tasks.collect.web.download import Limits, NoAnswerError, download
from refusalbench_tasks.collect.web.extract import Article, extract
from refusalbench_tasks.collect.web.guard import PORTS, Closed, Target, target
from refusalbench_tasks.collect.web.hosts import Hosts, Sleep
from refusalbench_tasks.collect.web.page import KINDS, Failed, Page, Refused
from refusalbench_tasks.collect.web.response import page_of, robots_of
from refusalbench_tasks.collect.web.robots import Rules, unreachable
from refusalbench_tasks.collect.web.transport import CheckedTransport, ClosedAddressError

AGENT = "refusalbench-tasks"
REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})
_DAY = timedelta(days=1)
_MOST_RULES = 200
"""Of how many hosts rules are held, about twenty times their file; the others' are read from the archive."""


class Web:
    """A client for pages. Use it as an asynchronous context; one for a run, since it counts and paces per host.

    * `folder`: the archive. A page that is in it is not asked for again; with `fresh`, one that is older than that is
      revalidated by ETag or Last-Modified. With `offline` nothing is asked at all.
    * robots.txt is honoured (a stored one for a day), `delay` seconds pass between two requests to a host (more if
      robots.txt says so), and no more than `host_limit` pages are taken of a host.
    * Redirects are followed by us, at most 5, each address checked like the first.

    `requests` counts what was asked of the web, robots.txt included and further tries not; `archive` is the archive.
    Requests carry no cookie and no credential, and nothing is logged but what httpx logs: method, address, status.
    """

    def __init__(
        self,
        folder: Path,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        limits: Limits | None = None,
        delay: float = 1.0,
        host_limit: int | None = None,
        fresh: timedelta | None = None,
        offline: bool = False,
        agent: str = AGENT,
        ports: frozenset[int] = PORTS,
        connections: int = 20,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        self.archive = Archive(folder)
        self.requests = 0
        self._limits, self._delay, self._fresh = limits or Limits(), delay, fresh
        self._offline, self._agent, self._ports, self._sleep = offline, agent, ports, sleep
        self._hosts = Hosts(host_limit, sleep)
        self._rules: dict[str, Rules] = {}
        self._rule_locks: dict[str, anyio.Lock] = {}
        self._room, self._one_reader = anyio.CapacityLimiter(connections), anyio.CapacityLimiter(1)
        self._client = httpx.AsyncClient(
            transport=transport or CheckedTransport(ports=ports, connections=connections),
            follow_redirects=False,
            trust_env=False,
            timeout=self._limits.seconds,
            # no cookie is kept
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )

    async def __aenter__(self) -> "Web":
        """Open the client."""
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._client.__aexit__(kind, error, trace)

    async def fetch(self, url: str) -> Page | Refused | Failed:
        """Return a page, or why it is not to be had. Raises DataError only for a damaged or unwritable archive."""
        here = url
        for _ in range(REDIRECTS + 1):
            step = await self._step(here)
            if not isinstance(step, Exchange):
                return type(step)(url, step.reason)
            if step.status not in _MOVED:
                return page_of(url, step, self._limits.size)
            if not step.header("Location"):
                return Failed(url, f"status {step.status} without an address")
            here = _joined(here, step.header("Location"))
        return Refused(url, f"more than {REDIRECTS} redirects")

    async def article(self, page: Page) -> Article | Failed:
        """Return the article of a page, as `extract` does, in a thread: one page at a time.

        Several threads would not be faster, and each would hold a tree of its page. On the first short page each would
        load the word lists of all languages, 43 MB, that only one of them keeps.
        """
        return await anyio.to_thread.run_sync(extract, page, limiter=self._one_reader)

    async def _step(self, url: str) -> Exchange | Refused | Failed:
        found = target(url, self._ports)
        if isinstance(found, Closed):
            return Refused(url, found.reason)
        if not self._hosts.admit(found.host, _key(found)):
            return Refused(url, f"the limit of pages of {found.host}")
        stored = await self._stored(_key(found), self._fresh)
        if stored is not None:
            return stored
        if self._offline:
            return Failed(url, "not in the archive")
        rules = await self._rules_of(found)
        reason = rules.refused(_key(found), self._agent)
        delay = max(self._delay, rules.delay(self._agent))
        if reason is None and delay > max(self._limits.patience, self._delay):
            reason = f"robots.txt asks for {delay:g} s between two requests"
        return Refused(url, reason) if reason else await self._asked(found, delay, self._fresh)

    async def _rules_of(self, found: Target) -> Rules:
        """Return a host's rules; they are read once in a run, whether they are to be had or not."""
        origin = f"{found.url.scheme}://{found.url.netloc.decode('ascii')}"
        lock = self._rule_locks.setdefault(origin, anyio.Lock())
        async with lock:
            try:
                if origin not in self._rules:
                    rules = await self._read_rules(f"{origin}/robots.txt")
                    if len(self._rules) >= _MOST_RULES:
                        del self._rules[next(iter(self._rules))]
                    self._rules[origin] = rules
                return self._rules[origin]
            finally:
                if not lock.statistics().tasks_waiting:
                    self._rule_locks.pop(origin, None)

    async def _read_rules(self, url: str) -> Rules:
        fresh = _DAY if self._fresh is None else min(_DAY, self._fresh)
        for _ in range(REDIRECTS + 1):
            found = target(url, self._ports)
            if isinstance(found, Closed):
                return unreachable(found.reason)
            step = await self._asked(found, self._delay, fresh, kinds=None)
            if not isinstance(step, Exchange):
                return Rules(refusal=step.reason) if isinstance(step, Refused) else unreachable(step.reason)
            if step.status not in _MOVED or not step.header("Location"):
                return robots_of(step, self._limits.size)
            url = _joined(url, step.header("Location"))
        return unreachable(f"more than {REDIRECTS} redirects")

    async def _asked(
        self, found: Target, delay: float, fresh: timedelta | None, kinds: Collection[str] | None = KINDS.keys()
    ) -> Exchange | Refused | Failed:
        """Return the response to a request in the host's turn, and store it; from the archive if it came meanwhile."""
        url = _key(found)
        async with self._hosts.turn(found.host):
            stored = await self._stored(url, fresh)
            if stored is not None:
                return stored
            old = await self._stored(url, None)
            limits = replace(self._limits, backoff=max(self._limits.backoff, delay))
            try:
                async with self._hosts.pace(found.host, delay), self._room:
                    self.requests += 1
                    new = await download(self._client, url, self._headers(old), limits, self._sleep, kinds)
            except ClosedAddressError as error:
                return Refused(url, str(error))
            except NoAnswerError as error:
                return Failed(url, str(error))
            if old is not None and new.status == 304:
                return await anyio.to_thread.run_sync(self.archive.confirm, old, new.date)
            if new.status != 304:
                await anyio.to_thread.run_sync(self.archive.put, new)
            return new

    async def _stored(self, url: str, fresh: timedelta | None) -> Exchange | None:
        found = await anyio.to_thread.run_sync(self.archive.get, url)
        if found is None or (found.truncated == "length" and len(found.body) < self._limits.size):
            return None
        old = fresh is not None and datetime.now(UTC) - found.date > fresh
        return None if old and not self._offline else found

    def _headers(self, old: Exchange | None) -> Mapping[str, str]:
        headers = {
            "User-Agent": self._agent,
            "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8",
            "Accept-Encoding": "gzip, deflate",
        }
        if old is not None and old.header("ETag"):
            headers["If-None-Match"] = old.header("ETag")
        if old is not None and old.header("Last-Modified"):
            headers["If-Modified-Since"] = old.header("Last-Modified")
        return headers


def _key(found: Target) -> str:
    return str(found.url.copy_with(fragment=None))


def _joined(base: str, location: str) -> str:
    try:
        return str(httpx.URL(base).join(location))
    except (httpx.InvalidURL, ValueError):
        return location
