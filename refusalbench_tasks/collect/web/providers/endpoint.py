"""A search engine's endpoint: JSON over HTTP with a time limit, a size limit and further tries."""

import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any

import anyio
import httpx

from refusalbench_tasks.collect.web.hit import SearchError

LARGEST = 5_000_000
"""How many bytes of an answer are read."""
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_MEANS = {
    401: "the key is refused",
    402: "the account has no credit left",
    403: "access is refused: check the key, or that the engine's JSON format is switched on",
    404: "no such endpoint",
    422: "the query or the key is refused",
    429: "too many searches; try later or with fewer at a time",
}


@cache
def _certificates() -> ssl.SSLContext:
    """Return what is read once, because it takes longer than a search."""
    return httpx.create_ssl_context()


class Endpoint:
    """One engine's address, asked with the same headers each time. The headers may hold a key: they are never shown."""

    def __init__(
        self,
        engine: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        seconds: float = 20.0,
        retries: int = 2,
        backoff: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self.engine, self.url = engine, url
        self._headers = {"Accept": "application/json", **(headers or {})}
        self._seconds, self._retries, self._backoff, self._sleep = seconds, retries, backoff, sleep

    def __repr__(self) -> str:
        """Return the engine and its address, without headers."""
        return f"Endpoint({self.engine!r}, {self.url!r})"

    async def get(self, **parameters: str | int) -> Any:
        """Return the JSON value that a GET with these parameters gives. Raises SearchError."""
        return await self._ask("GET", params=parameters)

    async def post(self, body: Mapping[str, Any]) -> Any:
        """Return the JSON value that a POST of a JSON body gives. Raises SearchError."""
        return await self._ask("POST", json=dict(body))

    async def form(self, fields: Mapping[str, str]) -> Any:
        """Return the JSON value that a POST of a form gives. Raises SearchError."""
        return await self._ask("POST", data=dict(fields))

    async def _ask(self, method: str, **what: Any) -> Any:
        for tries in range(self._retries + 1):
            problem = "gives no answer"
            try:
                with anyio.fail_after(self._seconds):
                    status, body = await self._once(method, what)
                if status == 200:
                    return self._read(body)
                problem = f"answers with status {status}" + (f" ({_MEANS[status]})" if status in _MEANS else "")
                if status not in AGAIN:
                    break
            except (TimeoutError, httpx.TimeoutException):
                problem = f"gives no answer within {self._seconds:g} s"
            except httpx.HTTPError as error:
                # not the error's text, which may repeat what was sent
                problem = f"cannot be reached ({type(error).__name__})"
            if tries < self._retries:
                await self._sleep(self._backoff * 2**tries)
        raise SearchError(f"{self.engine} {problem}")

    async def _once(self, method: str, what: Mapping[str, Any]) -> tuple[int, bytes]:
        async with (
            httpx.AsyncClient(timeout=self._seconds, follow_redirects=False, verify=_certificates()) as client,
            client.stream(method, self.url, headers=self._headers, **what) as response,
        ):
            body = bytearray()
            async for part in response.aiter_bytes(65_536):
                body += part
                if len(body) > LARGEST:
                    raise SearchError(f"{self.engine} answers with more than {LARGEST:,} bytes")
            return response.status_code, bytes(body)

    def _read(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise SearchError(f"{self.engine} answers with something that is no JSON") from None
