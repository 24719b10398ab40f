"""One request for one page: limits of size and time, and further tries. No redirect is followed here."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import anyio
import httpx

from refusalbench_tasks.collect.web.archive import Exchange
from refusalbench_tasks.collect.web.hosts import Sleep
from refusalbench_tasks.collect.web.page import KINDS
from refusalbench_tasks.collect.web.transport import ClosedAddressError

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""The statuses after which the same request may succeed later."""


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


class NoAnswerError(Exception):
    """The page can't be had. The message says why, without the address."""


async def download(
    client: httpx.AsyncClient,
    url: str,
    headers: Mapping[str, str],
    limits: Limits,
    sleep: Sleep = anyio.sleep,
    kinds: Collection[str] | None = KINDS.keys(),
) -> Exchange:
    """Return the response to a GET. Its body is raw, and cut (and marked) where the size limit is.

    A body whose content type isn't one of `kinds` is not fetched (None: every type is). Tried again, after
    `backoff` · 2ⁿ seconds or what `Retry-After` says, are errors of connection, time-outs and the statuses of AGAIN.
    Raises ClosedAddressError for a closed address, and NoAnswerError when the last try fails.
    """
    for tries in range(limits.retries + 1):
        wait = limits.backoff * 2**tries
        try:
            with anyio.fail_after(limits.seconds):
                exchange = await _once(client, url, headers, limits.size, kinds)
            if exchange.status not in AGAIN:
                return exchange
            problem = f"status {exchange.status}"
            wait = max(wait, retry_after(exchange))
        except ClosedAddressError:
            raise
        except (TimeoutError, httpx.TimeoutException):
            problem = f"no answer within {limits.seconds:g} s"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            problem = f"{type(error).__name__}: {error}".removesuffix(": ")
        if tries == limits.retries or wait > limits.patience:
            break
        await sleep(wait)
    raise NoAnswerError(problem)


async def _once(
    client: httpx.AsyncClient, url: str, headers: Mapping[str, str], size: int, kinds: Collection[str] | None
) -> Exchange:
    async with client.stream("GET", url, headers=dict(headers)) as response:
        body, truncated = await _body(response, size, kinds)
    return Exchange(
        url=url,
        status=response.status_code,
        headers=tuple(response.headers.multi_items()),
        body=body,
        date=datetime.now(UTC),
        truncated=truncated,
    )


async def _body(response: httpx.Response, size: int, kinds: Collection[str] | None) -> tuple[bytes, str]:
    declared = response.headers.get("Content-Type", "").split(";")[0].strip().lower()
    if kinds is not None and response.status_code == 200 and declared and declared not in kinds:
        return b"", "unspecified"
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > size:
            return bytes(body[:size]), "length"
    return bytes(body), ""


def retry_after(exchange: Exchange) -> float:
    """Return how many seconds a response asks to wait, from its `Retry-After` (seconds or a date), 0 if it doesn't."""
    value = exchange.header("Retry-After").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - exchange.date).total_seconds())
