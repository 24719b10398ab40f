"""Turns at a host: one request at a time, a pause between two, and a limit to the pages of one host."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

Sleep = Callable[[float], Awaitable[None]]


@dataclass
class _Host:
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    next_turn: float = 0.0
    pages: set[int] = field(default_factory=set)


class Hosts:
    """The turns of all hosts. What is kept of a host is a lock, a time and at most `limit` numbers."""

    def __init__(self, limit: int | None, sleep: Sleep = anyio.sleep) -> None:
        self._limit, self._sleep = limit, sleep
        self._hosts: dict[str, _Host] = {}

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
        return self._hosts.setdefault(host, _Host())
