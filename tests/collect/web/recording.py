"""A resolver from a table, and a connector that records where it was sent instead of connecting."""

from collections.abc import Callable, Iterable, Mapping

import httpcore

from refusalbench_tasks.collect.web.transport import Connector, Resolver

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi"


def names(table: Mapping[str, Iterable[str]]) -> Resolver:
    """Return a resolver that knows the names of a table."""

    async def resolver(host: str, port: int) -> list[str]:
        if host not in table:
            raise OSError("unknown name")
        return list(table[host])

    return resolver


def recorder(sent: list[tuple[str, int]], reply: Callable[[str], bytes] = lambda _: OK) -> Connector:
    """Return a connector that appends to `sent` and answers from memory; nothing leaves the process."""

    async def connector(address: str, port: int, timeout: float | None) -> httpcore.AsyncNetworkStream:
        sent.append((address, port))
        return httpcore.AsyncMockStream([reply(address)])

    return connector


def local(port: int) -> Connector:
    """Return a connector that leads every checked address to this machine's server: a map, after all checks."""

    async def connector(address: str, _: int, timeout: float | None) -> httpcore.AsyncNetworkStream:
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", port, timeout=timeout)

    return connector
