"""Turns at a host: one request at a time, a pause between two, and a limit to the pages of one host."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

Sleep = Callable[[float], Awaitable[None]]
MOST = 2_000
"""How many hosts are remembered that nobody waits for (our definition)."""


@dataclass
class _Host:
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    next_turn: float = 0.0
    pages: set[int] = field(default_factory=set)

    def is_idle(self, now: float) -> bool:
        return not self.lock.locked() and self.next_turn <= now and not self.pages


class Hosts:
    """The turns of all hosts. What is kept of a host is a lock, a time and at most `limit` numbers.

    From `MOST` hosts on those are forgotten of which nothing is left to know: nobody is there, the pause is over, and
    no page is counted. So with a limit every host that was asked is kept.
    """

    def __init__(self, limit: int | None, sleep: Sleep = anyio.sleep) -> None:
        self._limit, self._sleep = limit, sleep
        self._hosts: dict[str, _Host] = {}
        self._most = MOST

    def __len__(self) -> int:
        """Return how many hosts are remembered."""
        return len(self._hosts)

    def admit(self, host: str, url: str) -> bool:
        """Count a page of a host, once; False if the host has had its share. Pages from the archive count too."""
        pages = self._host(host).pages
        page = hash(url)
        if self._limit is None or page in pages:
            return True
        if len(pages) >= self._limit:
            return False
        pages.add(page)
        return True

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Hold the host for oneself: whoever wants the same page meanwhile finds it in the archive afterwards."""
        async with self._host(host).lock:
            yield

    @asynccontextmanager
    async def pace(self, host: str, delay: float) -> AsyncIterator[None]:
        """Wait until the pause since the last request to the host is over; the next one lasts `delay` seconds."""
        one = self._host(host)
        wait = one.next_turn - anyio.current_time()
        if wait > 0:
            await self._sleep(wait)
        try:
            yield
        finally:
            one.next_turn = anyio.current_time() + delay

    def _host(self, host: str) -> _Host:
        if host not in self._hosts and len(self._hosts) >= self._most:
            self._forget()
        return self._hosts.setdefault(host, _Host())

    def _forget(self) -> None:
        now = anyio.current_time()
        self._hosts = {name: one for name, one in self._hosts.items() if not one.is_idle(now)}
        # those that are left are not looked through for each new one
        self._most = max(MOST, 2 * len(self._hosts))
