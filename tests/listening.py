"""What every local server of the tests does: a thread of its own that listens on the
loopback address.
"""

import asyncio
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from aiohttp import web


class Listening(ABC):
    """A server, running in a thread of its own while the context is open; on the
    loopback address only.
    """

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._runner: web.AppRunner | None = None

    @abstractmethod
    def add_routes(self, routes: web.UrlDispatcher) -> None:
        """Add what the server answers to."""

    def __enter__(self) -> Self:
        """Start to listen; with port 0 the system picks one."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop to listen."""
        if self._runner:
            asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(
                10
            )
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _start(self) -> None:
        app = web.Application(client_max_size=50_000_000)
        self.add_routes(app.router)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port, backlog=1024).start()
        self.port = self._runner.addresses[0][1]
