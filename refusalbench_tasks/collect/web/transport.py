"""A transport for httpx that connects only to addresses that were checked, so that no
name can lead it astray.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from socket import SOCK_STREAM

import anyio
import httpx

from .guard import PORTS, checked, is_public
from .page import RefusedError

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Returns the IP addresses of a name, in the order to try them."""


async def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a name, as this machine's resolver knows them."""
    answers = await anyio.getaddrinfo(
        host,
        port,
        type=SOCK_STREAM,
    )
    addresses = [str(address[0]) for *_, address in answers]
    return list(dict.fromkeys(addresses))


class CheckedTransport(httpx.AsyncBaseTransport):
    """A transport for `httpx.AsyncClient` that asks only what the guard lets through;
    it follows no redirect itself.

    A name is resolved once, all its addresses are checked, and the request goes to one
    of these very addresses, with the name as `Host`, as SNI and as what the certificate
    must be for: a name that answers differently the second time (DNS rebinding) isn't
    asked a second time. One closed address among open ones closes the name. No proxy is
    used, and no connection a second time, because two names may share an address and a
    certificate is checked for one.
    """

    def __init__(
        self,
        resolver: Resolver = resolve,
        inner: httpx.AsyncBaseTransport | None = None,
        ports: frozenset[int] = PORTS,
    ) -> None:
        """Take a resolver, and what sends requests that name an IP address: the last
        step, after all checks.
        """
        alone = httpx.Limits(max_keepalive_connections=0)
        self._resolve = resolver
        self._ports = ports
        self._inner = inner or httpx.AsyncHTTPTransport(trust_env=False, limits=alone)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; raises httpx's errors, and RefusedError for a closed
        address.
        """
        url = checked(str(request.url), self._ports)
        host = url.raw_host.decode("ascii")
        addresses = await self._addresses(host, url.port)
        timeout = dict(request.extensions.get("timeout", {}))
        if timeout.get("connect"):
            # one that doesn't answer must leave time for the next
            timeout["connect"] /= max(1, len(addresses))
        extensions = {
            **request.extensions,
            "timeout": timeout,
            "sni_hostname": host,
        }
        for last, address in enumerate(addresses, 1):
            pinned = url.copy_with(host=address)
            sent = httpx.Request(
                request.method,
                pinned,
                headers=request.headers,
                stream=request.stream,
                extensions=extensions,
            )
            try:
                return await self._inner.handle_async_request(sent)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if last == len(addresses):
                    raise
        raise httpx.ConnectError("the name has no address")

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()

    async def _addresses(
        self,
        host: str,
        port: int | None,
    ) -> list[str]:
        with suppress(ValueError):
            # the guard has checked a number
            return [str(ip_address(host))]
        try:
            addresses = await self._resolve(host, port or 0)
            public = all(is_public(ip_address(address)) for address in addresses)
        except (OSError, UnicodeError):
            raise httpx.ConnectError("the name cannot be resolved") from None
        except ValueError:
            public = False
        if not public:
            raise RefusedError("the name leads to an address that is not public")
        return addresses
