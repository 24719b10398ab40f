"""One request: limits of size and time, and further tries.

No redirect is followed here.
"""

import zlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import anyio
import httpx

from .page import FailedError, WebPage, is_html

LARGEST = 2_000_000
"""Bytes of an answer, as sent and decompressed."""
SECONDS = 10.0
TRIES = 3
BACKOFF = 1.0
"""Seconds a try takes at most, tries, and the pause before the second one, in seconds.
"""
PATIENCE = 30.0
"""The longest pause, in seconds, that a host may ask for between requests or before
another try.
"""
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""The statuses after which the same request may succeed later."""
Sleep = Callable[[float], Awaitable[None]]


async def download(
    client: httpx.AsyncClient,
    url: str,
    any_kind: bool,
    pause: float = BACKOFF,
    sleep: Sleep = anyio.sleep,
) -> WebPage:
    """Return the answer to a GET; the client should accept gzip alone.

    A body of a type that isn't read is not fetched, unless `any_kind`. Tried again,
    after `pause` · 2ⁿ seconds or what `Retry-After` says, are errors of connection,
    time-outs and the statuses of AGAIN. Raises RefusedError for a closed address, and
    FailedError when the last try fails; an error is named without its text, which may
    repeat what was sent.
    """
    problem = ""
    for tries in range(TRIES):
        wait = pause * 2**tries
        try:
            with anyio.fail_after(SECONDS):
                page, asked = await _once(client, url, any_kind)
            if page.status not in AGAIN:
                return page
            wait = max(wait, asked)
            problem = f"status {page.status}"
        except (TimeoutError, httpx.TimeoutException):
            problem = f"no answer within {SECONDS:g} s"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            problem = f"no connection ({type(error).__name__})"
        if tries == TRIES - 1 or wait > PATIENCE:
            break
        await sleep(wait)
    raise FailedError(problem)


async def _once(
    client: httpx.AsyncClient,
    url: str,
    any_kind: bool,
) -> tuple[WebPage, float]:
    """Return what a server answers with, and the seconds of its `Retry-After`."""
    body = bytearray()
    async with client.stream("GET", url) as response:
        headers = response.headers
        page = WebPage(
            url=url,
            status=response.status_code,
            content_type=headers.get("Content-Type", ""),
            location=headers.get("Location", ""),
            fetched=datetime.now(UTC),
        )
        if any_kind or page.status != 200 or is_html(page.content_type):
            async for part in response.aiter_raw():
                body += part
                if len(body) > LARGEST:
                    break
    whole = unpacked(bytes(body), headers.get("Content-Encoding", "").strip().lower())
    wait = headers.get("Retry-After", "")[:9]
    seconds = float(wait) if wait.isascii() and wait.isdigit() else 0.0
    content: dict[str, object] = {"body": whole}
    if max(len(body), len(whole)) > LARGEST:
        content = {"oversize": f"larger than {LARGEST:,} bytes"}
    return page.model_copy(update=content), seconds


def unpacked(body: bytes, encoding: str) -> bytes:
    """Return a body without its compression: none, or gzip, which is all that is asked
    for.

    Little more than the limit is ever made of it, so a small body that swells (a gzip
    bomb) costs no memory. Raises FailedError for a damaged one and other encodings.
    """
    if encoding in ("", "identity") or not body:
        return body
    if encoding not in ("gzip", "x-gzip"):
        raise FailedError(f"content encoding '{encoding[:30]}' was not asked for")
    machine = zlib.decompressobj(wbits=31)
    try:
        whole = machine.decompress(body, LARGEST + 1)
    except zlib.error:
        raise FailedError("the body is not valid gzip") from None
    if max(len(whole), len(body)) <= LARGEST and not machine.eof:
        raise FailedError("the compressed body ends too early")
    return whole
