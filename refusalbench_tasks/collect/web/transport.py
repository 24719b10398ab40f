"""A transport for httpx that connects only to addresses that were checked, so that no name can lead it astray."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import cache
from ipaddress import ip_address
from socket import SOCK_STREAM
from typing import Any

import anyio
import httpcore
import httpx

from refusalbench_tasks.collect.web.guard import PORTS, Closed, closed_address, closed_host, numeric_address, target

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Returns the IP addresses of a name, in the order to try them."""

Connector = Callable[[str, int, float | None], Awaitable[httpcore.AsyncNetworkStream]]
"""Opens a connection to an IP address and a port, within so many seconds: the last step, after all checks."""


class ClosedAddressError(httpx.RequestError):
    """The request leads where it may not. The message is the reason."""


async def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a name, as this machine's resolver knows them."""
    found = await anyio.getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def connect(address: str, port: int, timeout: float | None) -> httpcore.AsyncNetworkStream:
    """Open a TCP connection to an IP address."""
    return await httpcore.AnyIOBackend().connect_tcp(address, port, timeout=timeout)


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Connections by name whose name is resolved once; all its addresses are checked, and one of them connected to.

    The connection goes to the very address that was checked: a name that answers differently the second time (DNS
    rebinding) is never asked a second time. One closed address among open ones closes the name. TLS is begun by the
    pool above with the name, so certificate, SNI and `Host` are those of the name.
    """

    def __init__(self, resolver: Resolver = resolve, connector: Connector = connect) -> None:
        self._resolve, self._connect = resolver, connector

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a name; raises ClosedAddressError, or httpcore's ConnectError if no address answers."""
        addresses = await self._checked(host, port, timeout)
        # an address that doesn't answer must leave time for the next
        share = None if timeout is None else timeout / max(1, len(addresses))
        for last, address in enumerate(addresses, start=1):
            try:
                return await self._connect(address, port, share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if last == len(addresses):
                    raise
        raise httpcore.ConnectError("the name has no address")

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Refuse: no page is served on a socket of this machine."""
        raise ClosedAddressError("a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)

    async def _checked(self, host: str, port: int, timeout: float | None) -> list[str]:
        reason = closed_host(host)
        if reason:
            raise ClosedAddressError(reason)
        number = numeric_address(host.strip("[]"))
        if number is not None:
            return [str(number)]
        try:
            with anyio.fail_after(timeout):
                addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            kind = httpcore.ConnectTimeout if isinstance(error, TimeoutError) else httpcore.ConnectError
            raise kind("the name cannot be resolved") from None
        for address in addresses:
            try:
                reason = closed_address(ip_address(address))
            except ValueError:
                reason = "not a valid numeric address"
            if reason:
                raise ClosedAddressError(f"the name leads to a {reason}")
        return addresses


@cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


class CheckedTransport(httpx.AsyncBaseTransport):
    """A transport for `httpx.AsyncClient` that asks only what the guard lets through; it follows no redirect itself.

    Every request's address is checked again here, whoever built it. No proxy is used, whatever the environment says.
    Errors are httpx's; a closed address raises ClosedAddressError.
    """

    def __init__(
        self,
        resolver: Resolver = resolve,
        connector: Connector = connect,
        ports: frozenset[int] = PORTS,
        tls: ssl.SSLContext | None = None,
        connections: int = 20,
    ) -> None:
        self._ports = ports
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls or _certificates(),
            max_connections=connections,
            network_backend=CheckedNetwork(resolver, connector),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; raises httpx's errors and ClosedAddressError."""
        found = target(str(request.url), self._ports)
        if isinstance(found, Closed):
            raise ClosedAddressError(found.reason, request=request)
        # the name without its last dot: what was checked is what is resolved
        url = httpcore.URL(scheme=found.url.raw_scheme, host=found.host, port=found.url.port, target=found.url.raw_path)
        assert isinstance(request.stream, httpx.AsyncByteStream)
        sent = httpcore.Request(
            request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        try:
            response = await self._pool.handle_async_request(sent)
        except _ERRORS as error:
            raise _translated(error, request) from error
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response, request), extensions=response.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response, request: httpx.Request) -> None:
        self._response, self._request = response, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._response.aiter_stream():
                yield part
        except _ERRORS as error:
            raise _translated(error, self._request) from error

    async def aclose(self) -> None:
        await self._response.aclose()


_ERRORS = (
    *(httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError),
    *(httpcore.ProxyError, httpcore.UnsupportedProtocol),
)


def _translated(error: Exception, request: httpx.Request) -> httpx.TransportError:
    kind = getattr(httpx, type(error).__name__, httpx.TransportError)
    made: httpx.TransportError = kind(str(error), request=request)
    return made
