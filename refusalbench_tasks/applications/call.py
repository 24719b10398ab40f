"""One question to an application over HTTP: attempts, waits, redirects, and a bounded reply."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from refusalbench_tasks.applications.call_limits import CallLimits, redirected, same_origin, seconds_to_wait
from refusalbench_tasks.applications.failed import ApplicationFailed
from refusalbench_tasks.applications.headers import Headers
from refusalbench_tasks.applications.server_events import is_done

_MOST_REDIRECTS = 5
_SHOWN = 200
Slot = Callable[[], AbstractAsyncContextManager[Any]]
"""What an attempt waits for: a free connection, a rate."""


class Passing(Exception):
    """A failure that may pass: too many requests, an error of the server, a lost connection, no reply in time."""

    def __init__(self, problem: str, wait: float | None = None) -> None:
        super().__init__(problem)
        self.problem, self.wait = problem, wait


@dataclass(frozen=True)
class Caller:
    """Sends requests to one address."""

    address: str
    headers: Headers = field(default_factory=Headers)
    limits: CallLimits = field(default_factory=CallLimits)
    streams: bool = False
    slots: tuple[Slot, ...] = ()

    async def post(self, request: Any) -> bytes:
        """Return the body of the reply, without the secrets that were sent.

        Raises ApplicationFailed if there is none after all attempts, and at once for a status that will not pass.
        """
        from tenacity import AsyncRetrying, RetryError, retry_if_exception_type, stop_after_attempt

        tries = AsyncRetrying(
            retry=retry_if_exception_type(Passing), stop=stop_after_attempt(self.limits.attempts), wait=self._wait
        )
        try:
            body: bytes = await tries(self._attempt, request)
        except RetryError as error:
            last, attempts = error.last_attempt.exception(), error.last_attempt.attempt_number
            raise ApplicationFailed(f"no reply after {attempts} attempts: {last}") from None
        return body

    def _wait(self, state: Any) -> float:
        from tenacity import wait_exponential, wait_random

        failed = state.outcome.exception()
        asked = failed.wait if isinstance(failed, Passing) else None
        first = self.limits.backoff
        usual: float = (wait_exponential(multiplier=first, max=60) + wait_random(0, first))(state)
        # a little later than asked, and not all at once
        return usual if asked is None else asked + usual * 0.1

    async def _attempt(self, request: Any) -> bytes:
        import httpx
        from anyio import fail_after

        async with AsyncExitStack() as held:
            for slot in self.slots:
                await held.enter_async_context(slot())
            try:
                with fail_after(self.limits.timeout):
                    return await self._sent(request)
            except (TimeoutError, httpx.TimeoutException):
                raise Passing(f"no reply within {self.limits.timeout:g} s") from None
            except httpx.TransportError as error:
                raise Passing(f"the connection failed ({type(error).__name__})") from None
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise ApplicationFailed(f"the application can't be called ({type(error).__name__})") from None

    async def _sent(self, request: Any) -> bytes:
        import httpx

        address = self.address
        async with httpx.AsyncClient(timeout=None, verify=_certificates(), follow_redirects=False) as client:
            for _ in range(_MOST_REDIRECTS + 1):
                # what is secret goes to the address that was given and to no other
                own = same_origin(urlsplit(self.address), urlsplit(address))
                headers = dict(self.headers.values) if own else {}
                async with client.stream("POST", address, json=request, headers=headers) as response:
                    if not response.has_redirect_location:
                        return await self._body(response)
                    location = response.headers["location"]
                    address = redirected(address, location, response.status_code, self.limits.redirects)
        raise ApplicationFailed(f"the application redirects more than {_MOST_REDIRECTS} times")

    async def _body(self, response: Any) -> bytes:
        status = response.status_code
        read = bytearray()
        async for part in response.aiter_bytes():
            read += part
            if len(read) > self.limits.max_bytes:
                raise ApplicationFailed(f"the reply has more than max_bytes={self.limits.max_bytes} bytes")
            if self.streams and status < 400 and is_done(bytes(read[-40:])):
                break
        body = self.headers.hide(bytes(read))
        if status == 429 or status >= 500:
            raise Passing(f"status {status}{_said(body)}", seconds_to_wait(response.headers.get("retry-after")))
        if status >= 300:
            raise ApplicationFailed(f"the application replied with status {status}{_said(body)}")
        return body


def _said(body: bytes) -> str:
    text = " ".join(body[: 4 * _SHOWN].decode("utf-8", "replace").split())[:_SHOWN]
    return f": {text}" if text else ""


@cache
def _certificates() -> Any:
    import httpx

    return httpx.create_ssl_context()
