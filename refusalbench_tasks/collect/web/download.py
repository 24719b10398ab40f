"""One request for one page: limits of size and time, and further tries. No redirect is followed here."""

import zlib
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio
import httpx

from refusalbench_tasks.collect.web.archive import Exchange
from refusalbench_tasks.collect.web.page import FailedError, Page, RefusedError, kind_of

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""The statuses after which the same request may succeed later."""
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Limits:
    """What one page may cost: bytes (as sent and decompressed), seconds a try, tries after the first, and waiting.

    `patience` is the longest pause, in seconds, that a host may ask for between requests or before another try.
    """

    size: int = 2_000_000
    seconds: float = 10.0
    retries: int = 2
    backoff: float = 1.0
    patience: float = 30.0


async def download(
    client: httpx.AsyncClient, url: str, kinds: Collection[str], limits: Limits, sleep: Sleep = anyio.sleep
) -> Exchange:
    """Return the response to a GET. Its body is raw, and cut (and marked) where the size limit is.

    A body whose content type isn't one of `kinds` is not fetched (empty: every type is). Tried again, after
    `backoff` · 2ⁿ seconds or what `Retry-After` says, are errors of connection, time-outs and the statuses of AGAIN.
    Raises RefusedError for a closed address, and FailedError when the last try fails.
    """
    for tries in range(limits.retries + 1):
        wait = limits.backoff * 2**tries
        try:
            with anyio.fail_after(limits.seconds):
                exchange = await _once(client, url, kinds, limits.size)
            if exchange.status not in AGAIN:
                return exchange
            problem = f"status {exchange.status}"
            wait = max(wait, retry_after(exchange))
        except (TimeoutError, httpx.TimeoutException):
            problem = f"no answer within {limits.seconds:g} s"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            problem = f"{type(error).__name__}: {error}".removesuffix(": ")
        if tries == limits.retries or wait > limits.patience:
            break
        await sleep(wait)
    raise FailedError(problem)


async def _once(client: httpx.AsyncClient, url: str, kinds: Collection[str], size: int) -> Exchange:
    body, truncated = bytearray(), ""
    async with client.stream("GET", url) as response:
        declared = response.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if kinds and response.status_code == 200 and declared and declared not in kinds:
            truncated = "unspecified"
        else:
            async for part in response.aiter_raw():
                body += part
                if len(body) > size:
                    truncated = "length"
                    break
    headers = tuple(response.headers.multi_items())
    return Exchange(url, response.status_code, headers, bytes(body[:size]), datetime.now(UTC), truncated)


def retry_after(exchange: Exchange) -> float:
    """Return how many seconds a response asks to wait by its `Retry-After`; 0 if it doesn't, or names a date."""
    value = exchange.header("Retry-After").strip()
    return float(value[:9]) if value.isascii() and value.isdigit() else 0.0


def page_of(exchange: Exchange, limit: int) -> Page:
    """Return the page that a response is. Reads the response alone: the archive gives the same.

    Raises FailedError for another status than 200, an empty and a broken body, and RefusedError for what is larger
    than `limit` bytes (as sent or decompressed) or of a type that isn't read.
    """
    if exchange.status != 200:
        raise FailedError(f"status {exchange.status}")
    content_type = exchange.header("Content-Type")
    if exchange.truncated == "unspecified":
        raise RefusedError(f"content type '{content_type[:60]}' is not read")
    body = body_of(exchange, limit)
    kind = kind_of(content_type, body)
    if kind is None:
        raise RefusedError(f"content type '{content_type[:60]}' is not read")
    if not body:
        raise FailedError("an empty page")
    charset = content_type.lower().partition("charset=")[2].split(";")[0].strip("\"' ")
    return Page(exchange.url, kind, charset, body, exchange.date)


def body_of(exchange: Exchange, limit: int) -> bytes:
    """Return a response's body without its compression: none, or gzip, which is all that is asked for.

    No more than `limit` + 1 bytes are ever made of it, so a small body that swells (a gzip bomb) costs no memory.
    Raises RefusedError for more than `limit` bytes, FailedError for a damaged body and other encodings.
    """
    encoding = exchange.header("Content-Encoding").strip().lower()
    if exchange.truncated == "length":
        raise RefusedError(f"larger than {limit:,} bytes")
    if encoding in ("", "identity"):
        return exchange.body
    if encoding not in ("gzip", "x-gzip"):
        raise FailedError(f"content encoding '{encoding[:30]}' was not asked for")
    machine = zlib.decompressobj(wbits=31)
    try:
        body = machine.decompress(exchange.body, limit + 1)
    except zlib.error:
        raise FailedError("the body is not valid gzip") from None
    if len(body) > limit:
        raise RefusedError(f"larger than {limit:,} bytes")
    if exchange.body and not machine.eof:
        raise FailedError("the compressed body ends too early")
    return body
