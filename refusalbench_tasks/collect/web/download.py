"""One request for one page: limits of size and time, and further tries. No redirect is followed here."""

import zlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import anyio
import httpx

from refusalbench_tasks.collect.web.archive import Exchange
from refusalbench_tasks.collect.web.page import KINDS, FailedError, RefusedError, WebPage, kind_of

LARGEST = 2_000_000
"""Bytes of a page, as sent and decompressed."""
SECONDS, TRIES, BACKOFF = 10.0, 3, 1.0
"""Seconds a try takes at most, tries, and the pause before the second one, in seconds."""
PATIENCE = 30.0
"""The longest pause, in seconds, that a host may ask for between requests or before another try."""
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""The statuses after which the same request may succeed later."""
Sleep = Callable[[float], Awaitable[None]]


async def download(
    client: httpx.AsyncClient, url: str, any_kind: bool = False, pause: float = BACKOFF, sleep: Sleep = anyio.sleep
) -> Exchange:
    """Return the response to a GET. Its body is raw, and cut (and marked) where the size limit is.

    A body of a type that isn't read is not fetched, unless `any_kind`. Tried again, after `pause` · 2ⁿ seconds or what
    `Retry-After` says, are errors of connection, time-outs and the statuses of AGAIN. Raises RefusedError for a closed
    address, and FailedError when the last try fails.
    """
    problem = ""
    for tries in range(TRIES):
        wait = pause * 2**tries
        try:
            with anyio.fail_after(SECONDS):
                exchange = await _once(client, url, any_kind)
            if exchange.status not in AGAIN:
                return exchange
            asked = exchange.header("Retry-After")
            wait = max(wait, float(asked[:9]) if asked.isascii() and asked.isdigit() else 0.0)
            problem = f"status {exchange.status}"
        except (TimeoutError, httpx.TimeoutException):
            problem = f"no answer within {SECONDS:g} s"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            problem = f"{type(error).__name__}: {error}".removesuffix(": ")
        if tries == TRIES - 1 or wait > PATIENCE:
            break
        await sleep(wait)
    raise FailedError(problem)


async def _once(client: httpx.AsyncClient, url: str, any_kind: bool) -> Exchange:
    body, truncated = bytearray(), ""
    async with client.stream("GET", url) as response:
        declared = response.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if response.status_code == 200 and declared and declared not in KINDS and not any_kind:
            truncated = "unspecified"
        else:
            async for part in response.aiter_raw():
                body += part
                if len(body) > LARGEST:
                    truncated = "length"
                    break
    headers = tuple(response.headers.multi_items())
    return Exchange(url, response.status_code, headers, bytes(body[:LARGEST]), datetime.now(UTC), truncated)


def page_of(exchange: Exchange) -> WebPage:
    """Return the page that a response is. Reads the response alone: the archive gives the same.

    Raises FailedError for another status than 200, an empty and a broken body, and RefusedError for one that is too
    large or of a type that isn't read.
    """
    if exchange.status != 200:
        raise FailedError(f"status {exchange.status}")
    content_type = exchange.header("Content-Type")
    body = b"" if exchange.truncated == "unspecified" else body_of(exchange)
    kind = None if exchange.truncated == "unspecified" else kind_of(content_type, body)
    if kind is None:
        raise RefusedError(f"content type '{content_type[:60]}' is not read")
    if not body:
        raise FailedError("an empty page")
    charset = content_type.lower().partition("charset=")[2].split(";")[0].strip("\"' ")
    return WebPage(exchange.url, kind, charset, body, exchange.date)


def body_of(exchange: Exchange) -> bytes:
    """Return a response's body without its compression: none, or gzip, which is all that is asked for.

    Little more than the limit is ever made of it, so a small body that swells (a gzip bomb) costs no memory. Raises
    RefusedError for one that is too large, FailedError for a damaged one and other encodings.
    """
    body, encoding = exchange.body, exchange.header("Content-Encoding").strip().lower()
    if encoding in ("gzip", "x-gzip"):
        machine = zlib.decompressobj(wbits=31)
        try:
            body = machine.decompress(body, LARGEST + 1)
        except zlib.error:
            raise FailedError("the body is not valid gzip") from None
        if len(body) <= LARGEST and not machine.eof and not exchange.truncated:
            raise FailedError("the compressed body ends too early")
    elif encoding not in ("", "identity"):
        raise FailedError(f"content encoding '{encoding[:30]}' was not asked for")
    if exchange.truncated or len(body) > LARGEST:
        raise RefusedError(f"larger than {LARGEST:,} bytes")
    return body
