"""Calls of an application over HTTP by one client a run: attempts, waits, a bounded
reply, and headers whose values stand in environment variables and are shown nowhere.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from time import monotonic
from typing import Any
from urllib.parse import quote, urlsplit

from inspect_ai.util import concurrency

from refusalbench_tasks.errors import DataError

from .body import Body
from .reply import ApplicationFailed, Passing, quoted

LARGEST = 5_000_000
"""Bytes of a reply."""
_ENTRY = re.compile(
    r"""\s* ([!#$%&'*+.^_`|~0-9A-Za-z-]+) \s* : \s*
    (?: (\S+) \s+ )? ([A-Za-z_][A-Za-z0-9_]*) \s*""",
    re.VERBOSE,
)
"""The name of a header, perhaps a word before its value, and a variable."""
_SHORTEST_SECRET = 6
HIDDEN = "[hidden]"


@dataclass(frozen=True)
class RequestHeaders:
    """RequestHeaders to send; `repr` shows none."""

    values: Mapping[str, str] = field(repr=False)
    secrets: Sequence[str] = field(repr=False)
    """The longest first."""

    def hide(self, text: str) -> str:
        """Return a text of the application without the secrets that were sent to it:
        some echo what they got.
        """
        for secret in self.secrets:
            for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe="")):
                text = text.replace(form, HIDDEN)
        return text


def headers_from(
    given: str | Sequence[str] | None, environment: Mapping[str, str]
) -> RequestHeaders:
    """Return the headers of `NAME:VARIABLE` entries; `NAME:Bearer VARIABLE` puts a word
    before the value.

    Raises DataError for another form, an unset variable, and a value that no header can
    have. No message holds a value, nor anything that may be one by mistake.
    """
    values = {}
    secrets = set[str]()
    for entry in given.split(",") if isinstance(given, str) else given or ():
        match = _ENTRY.fullmatch(str(entry))
        if match is None:
            raise DataError(
                "headers: expected NAME:VARIABLE, the name of an environment variable,"
                " never the value"
            )
        name, word, variable = match.groups()
        secret = environment.get(variable)
        if secret is None:
            raise DataError(
                f"headers: the environment variable for '{name}' is not set; export it"
            )
        if not secret.isascii() or not secret.isprintable() or not secret:
            raise DataError(
                f"headers: the environment variable for '{name}' holds what no header"
                " can have"
            )
        values[name] = f"{word} {secret}" if word else secret
        for part in (secret, *secret.split()):
            if len(part) >= _SHORTEST_SECRET:
                secrets.add(part)
    return RequestHeaders(values, sorted(secrets, key=len, reverse=True))


@dataclass
class Client:
    """Sends requests to one address; while some are on their way they share
    connections, and no cookies.
    """

    address: str
    headers: RequestHeaders
    timeout: float
    """Seconds of one attempt."""
    attempts: int
    backoff: float
    """Seconds before the second attempt; doubled for each further one, with jitter."""
    max_connections: int
    _open: dict[Any, Any] = field(default_factory=dict, repr=False)
    """The HTTP client of an event loop: it does not work in another one."""

    @property
    def name(self) -> str:
        """Return what the application is called in a log."""
        return f"endpoint/{urlsplit(self.address).hostname}"

    async def post(self, request: Any) -> Body:
        """Return the body of the reply, in which no secret that was sent stands, with
        the times of its attempt.

        Raises ApplicationFailed if there is none after all attempts, and at once for
        what will not pass.
        """
        from tenacity import (
            AsyncRetrying,
            RetryError,
            retry_if_exception_type,
            stop_after_attempt,
            wait_exponential,
            wait_random,
        )

        tries = AsyncRetrying(
            retry=retry_if_exception_type(Passing),
            stop=stop_after_attempt(self.attempts),
            wait=wait_exponential(self.backoff, max=60) + wait_random(0, self.backoff),
        )
        try:
            replied: Body = await tries(self._attempt, request)
        except RetryError as error:
            last = error.last_attempt
            raise ApplicationFailed(
                f"no reply after {last.attempt_number} attempts: {last.exception()}"
            ) from None
        return replied

    async def _attempt(self, request: Any) -> Body:
        import httpx
        from anyio import fail_after

        async with concurrency(self.name, self.max_connections):
            try:
                with fail_after(self.timeout):
                    return await self._sent(self._http(), request)
            except (TimeoutError, httpx.TimeoutException):
                raise Passing(f"no reply within {self.timeout:g} s") from None
            except httpx.TransportError as error:
                raise Passing(
                    f"the connection failed ({type(error).__name__}"
                    f" {urlsplit(self.address).netloc})"
                ) from None
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise ApplicationFailed(
                    f"the application can't be called ({type(error).__name__})"
                ) from None

    def _http(self) -> Any:
        import httpx

        loop = asyncio.get_running_loop()
        if loop not in self._open:
            room = httpx.Limits(
                max_connections=None, max_keepalive_connections=self.max_connections
            )
            self._open = {
                loop: httpx.AsyncClient(
                    timeout=None,
                    follow_redirects=False,
                    # an application must not know one row by another: none is kept
                    cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                    limits=room,
                )
            }
        return self._open[loop]

    async def _sent(self, http: Any, request: Any) -> Body:
        # no variable has the headers where a failure is raised, for tracebacks
        start = monotonic()
        async with http.stream(
            "POST",
            self.address,
            json=request,
            headers=dict(self.headers.values),
        ) as response:
            if response.has_redirect_location:
                # a redirect may drop the question, or lead headers to another host
                detail = quoted(self.headers.hide(response.headers["location"]))
                raise ApplicationFailed(
                    f"the application redirects ({response.status_code}); give its"
                    f" address{detail}"
                )
            status = response.status_code
            body = await self._read(response, start)
        if body is None:
            raise ApplicationFailed(f"the reply has more than {LARGEST:,} bytes")
        if status < 300:
            return body
        detail = quoted(body.text)
        if status == 429 or status >= 500:
            raise Passing(f"status {status}{detail}")
        raise ApplicationFailed(f"the application replied with status {status}{detail}")

    async def _read(self, response: Any, start: float) -> Body | None:
        """Return what was sent, without secrets; None if it is too long.

        It raises nothing of ours, as above.
        """
        lines = []
        rest = b""
        size = 0
        async for part in response.aiter_bytes():
            size += len(part)
            if size > LARGEST:
                return None
            *ended, rest = (rest + part).split(b"\n")
            lines += [self._line(line, start) for line in ended]
        return Body([*lines, self._line(rest, start)])

    def _line(self, line: bytes, start: float) -> tuple[str, float]:
        seconds = monotonic() - start
        return self.headers.hide(line.decode("utf-8-sig", "replace")), seconds
