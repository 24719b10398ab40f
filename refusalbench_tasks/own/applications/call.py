"""One question to an application over HTTP: attempts, waits, redirects, and a bounded reply."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

from refusalbench_tasks.own.applications.call_limits import CallLimits, redirected, same_origin, seconds_to_wait
from refusalbench_tasks.own.applications.failed import ApplicationFailed, Passing, said
from refusalbench_tasks.own.applications.headers import Headers
from refusalbench_tasks.own.applications.quiet import quiet
from refusalbench_tasks.own.applications.server_events import is_done

_MOST_REDIRECTS = 5
Read = TypeVar("Read")
Slot = Callable[[], AbstractAsyncContextManager[Any]]
"""What an attempt waits for: a free connection, a rate."""


@dataclass(frozen=True)
class Caller:
    """Sends requests to one address."""

    address: str
    headers: Headers = field(default_factory=Headers)
    limits: CallLimits = field(default_factory=CallLimits)
    streams: bool = False
    slots: tuple[Slot, ...] = ()

    async def post(self, request: Any, read: Callable[[bytes], Read]) -> Read:
        """Return what `read` makes of the body of the reply, in which no secret that was sent stands.

        Raises ApplicationFailed if there is none after all attempts, and at once for what will not pass. `read` may
        raise either kind of failure: the reply of a connection that was lost may end without telling.
        """
        from tenacity import AsyncRetrying, RetryError, retry_if_exception_type, stop_after_attempt

        tries = AsyncRetrying(
            retry=retry_if_exception_type(Passing), stop=stop_after_attempt(self.limits.attempts), wait=self._wait
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
        first = self.limits.backoff
        usual: float = (wait_exponential(multiplier=first, max=60) + wait_random(0, first))(state)
        # a little later than asked, and not all at once
        return usual if asked is None else asked + usual * 0.1

    async def _attempt(self, request: Any, read: Callable[[bytes], Read]) -> Read:
        import httpx
        from anyio import fail_after

        async with AsyncExitStack() as held:
            for slot in self.slots:
                await held.enter_async_context(slot())
            try:
                with quiet(), fail_after(self.limits.timeout):
                    body = await self._sent(request)
            except (TimeoutError, httpx.TimeoutException):
                raise Passing(f"no reply within {self.limits.timeout:g} s") from None
            except httpx.TransportError as error:
                raise Passing(f"the connection failed ({type(error).__name__})") from None
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise ApplicationFailed(f"the application can't be called ({type(error).__name__})") from None
        return read(body)

    async def _sent(self, request: Any) -> bytes:
        import httpx

        address = self.address
        async with httpx.AsyncClient(timeout=None, verify=_certificates(), follow_redirects=False) as client:
            for _ in range(_MOST_REDIRECTS + 1):
                async with client.stream("POST", address, json=request, headers=self._headers(address)) as response:
                    if not response.has_redirect_location:
                        return await self._body(response)
                    location = response.headers["location"]
                    if self.headers.hide_in(location) != location:
                        raise ApplicationFailed("the application redirects to an address with a secret that was sent")
                    address = redirected(address, location, response.status_code, self.limits.redirects)
        raise ApplicationFailed(f"the application redirects more than {_MOST_REDIRECTS} times")

    def _headers(self, address: str) -> dict[str, str]:
        """Return the headers for an address. Where a failure is raised no variable has them, for tracebacks."""
        # what is secret goes to the address that was given and to no other
        return dict(self.headers.values) if same_origin(urlsplit(self.address), urlsplit(address)) else {}

    async def _body(self, response: Any) -> bytes:
        status = response.status_code
        body = await self._read(response)
        if body is None:
            raise ApplicationFailed(f"the reply has more than max_bytes={self.limits.max_bytes} bytes")
        told = "" if status < 300 else said(body.decode("utf-8", "replace"))
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
            if len(read) > self.limits.max_bytes:
                return None
            if self.streams and response.status_code < 400 and is_done(bytes(read[-64:])):
                break
        return self.headers.hide(bytes(read))


@cache
def _certificates() -> Any:
    import httpx

    return httpx.create_ssl_context()
