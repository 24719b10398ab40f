"""A resolver from a table, and what stands in for the last step of a request, after all
checks.
"""

import ssl
from collections.abc import Callable, Iterable, Mapping

import httpx

from refusalbench_tasks.collect.web.transport import Resolver


def names(table: Mapping[str, Iterable[str]]) -> Resolver:
    """Return a resolver that knows the names of a table."""

    async def resolver(host: str, port: int) -> list[str]:
        if host not in table:
            raise OSError("unknown name")
        return list(table[host])

    return resolver


def ok(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, headers={"Content-Type": "text/html"}, content=b"hi")


def recorder(
    sent: list[httpx.Request], reply: Callable[[httpx.Request], httpx.Response] = ok
) -> httpx.AsyncBaseTransport:
    """Return what appends requests to `sent` and answers from memory; nothing leaves
    the process.
    """

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return reply(request)

    return httpx.MockTransport(handle)


class Local(httpx.AsyncBaseTransport):
    """Leads every checked address to a server of this machine; with `tls` in an
    encrypted connection.
    """

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self._port, self._scheme = port, "https" if tls else "http"
        alone = httpx.Limits(max_keepalive_connections=0)
        self._inner = httpx.AsyncHTTPTransport(verify=tls or True, limits=alone)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url.copy_with(
            scheme=self._scheme, host="127.0.0.1", port=self._port
        )
        assert isinstance(request.stream, httpx.AsyncByteStream)
        sent = httpx.Request(
            request.method,
            url,
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        return await self._inner.handle_async_request(sent)
