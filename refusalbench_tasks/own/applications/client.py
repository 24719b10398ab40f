"""Calls of an application over HTTP by one client a run: attempts, waits, and a bounded reply."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, TypeVar
from urllib.parse import urlsplit

from inspect_ai.util import concurrency

from refusalbench_tasks.own.applications.address import require_number, seconds_to_wait
from refusalbench_tasks.own.applications.events import is_done
from refusalbench_tasks.own.applications.failed import ApplicationFailed, Passing, library, quoted
from refusalbench_tasks.own.applications.headers import RequestHeaders, quiet

Read = TypeVar("Read")


@dataclass
class Client:
    """Sends requests to one address; while some are on their way they share connections, and no cookies."""

    address: str
    headers: RequestHeaders = field(default_factory=RequestHeaders)
    timeout: float = 120.0
    """Seconds of one attempt."""
    attempts: int = 5
    backoff: float = 1.0
    """Seconds before the second attempt; doubled for each further one, with jitter."""
    max_bytes: int = 5_000_000
    streams: bool = False
    max_connections: int = 10
    rate: float | None = None
    """The most calls a second."""
    _open: dict[Any, tuple[Any, Any]] = field(default_factory=dict, repr=False)
    """The HTTP client and the limiter of an event loop: neither works in another one."""

    def __post_init__(self) -> None:
        for name, least in (("timeout", 0.001), ("attempts", 1), ("backoff", 0), ("max_bytes", 1)):
            require_number(name, getattr(self, name), least)
        if self.rate is not None:
            require_number("rate", self.rate, 1e-6)

    @property
    def name(self) -> str:
        """Return what the application is called in a log."""
        return f"endpoint/{urlsplit(self.address).hostname}"

    async def post(self, request: Any, read: Callable[[bytes], Read]) -> Read:
        """Return what `read` makes of the body of the reply, in which no secret that was sent stands.

        Raises ApplicationFailed if there is none after all attempts, and at once for what will not pass. `read` may
        raise either kind of failure: the reply of a connection that was lost may end without telling.
        """
        from tenacity import AsyncRetrying, RetryError, retry_if_exception_type, stop_after_attempt

        tries = AsyncRetrying(
            retry=retry_if_exception_type(Passing), stop=stop_after_attempt(self.attempts), wait=self._wait
        )
        try:
            made: Read = await tries(self._attempt, request, read)
        except RetryError as error:
            last, attempts = error.last_attempt.exception(), error.last_attempt.attempt_number
            raise ApplicationFailed(f"no reply after {attempts} attempts: {last}") from None
        return made

    def _wait(self, state: Any) -> float:
        from tenacity import wait_exponential, wait_random

        failed = state.outcome.exception()
        asked = failed.wait if isinstance(failed, Passing) else None
        first = self.backoff
        usual: float = (wait_exponential(multiplier=first, max=60) + wait_random(0, first))(state)
        # a little later than asked, and not all at once
        return usual if asked is None else asked + usual * 0.1

    async def _attempt(self, request: Any, read: Callable[[bytes], Read]) -> Read:
        import httpx
        from anyio import fail_after

        http, limiter = self._of_loop()
        async with AsyncExitStack() as held:
            await held.enter_async_context(concurrency(self.name, self.max_connections))
            if limiter is not None:
                await held.enter_async_context(limiter)
            try:
                with quiet(), fail_after(self.timeout):
                    body = await self._sent(http, request)
            except (TimeoutError, httpx.TimeoutException):
                raise Passing(f"no reply within {self.timeout:g} s") from None
            except httpx.TransportError as error:
                raise Passing(f"the connection failed ({type(error).__name__})") from None
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise ApplicationFailed(f"the application can't be called ({type(error).__name__})") from None
        return read(body)

    def _of_loop(self) -> tuple[Any, Any]:
        import httpx

        loop = asyncio.get_running_loop()
        if loop not in self._open:
            # an application must not know one row by another: no cookie is kept
            cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
            room = httpx.Limits(max_connections=None, max_keepalive_connections=self.max_connections)
            http = httpx.AsyncClient(timeout=None, follow_redirects=False, cookies=cookies, limits=room)
            limiter = library("aiolimiter").AsyncLimiter(1, 1 / self.rate) if self.rate else None
            self._open = {loop: (http, limiter)}
        return self._open[loop]

    async def _sent(self, http: Any, request: Any) -> bytes:
        # no variable has the headers where a failure is raised, for tracebacks
        async with http.stream("POST", self.address, json=request, headers=dict(self.headers.values)) as response:
            if response.has_redirect_location:
                # a redirect may drop the question, or lead headers to another host
                told = quoted(self.headers.hide_in(response.headers["location"]))
                raise ApplicationFailed(f"the application redirects ({response.status_code}); give its address{told}")
            return await self._body(response)

    async def _body(self, response: Any) -> bytes:
        status = response.status_code
        body = await self._read(response)
        if body is None:
            raise ApplicationFailed(f"the reply has more than max_bytes={self.max_bytes} bytes")
        told = "" if status < 300 else quoted(body.decode("utf-8", "replace"))
        if status == 429 or status >= 500:
            raise Passing(f"status {status}{told}", seconds_to_wait(response.headers.get("retry-after")))
        if status >= 300:
            raise ApplicationFailed(f"the application replied with status {status}{told}")
        return body

    async def _read(self, response: Any) -> bytes | None:
        """Return what was sent, without secrets; None if it is too long. It raises nothing of ours, as above."""
        read = bytearray()
        async for part in response.aiter_bytes():
            read += part
            if len(read) > self.max_bytes:
                return None
            if self.streams and response.status_code < 400 and is_done(bytes(read[-64:])):
                break
        return self.headers.hide(bytes(read))
